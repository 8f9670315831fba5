package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.auth.AuthSettings;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Kebab;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.tls.TlsEngine;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Warns of valid but dangerous values, and says what to do instead. */
final class DangerChecks {

    /** Loopback addresses as the translators of the two registered NAT64 blocks spell them (RFC 6052, RFC 8215). */
    private static final List<InetAddress> TRANSLATED = List.of(
            NetUtil.createInetAddressFromIpAddressString("64:ff9b::7f00:1"),
            NetUtil.createInetAddressFromIpAddressString("64:ff9b:1:7f00:0:100::"));

    private final GatewayConfig config;
    private final Findings findings;

    DangerChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        listeners();
        halfClose();
        config.forward().forEach(this::forward);
        if (config.secrets().ringFile() == null) {
            findings.warning("secrets/ring-file", "none: challenges, cookies and tickets end with this process");
        }
        if (config.privacyPass().enforcement() == AuthSettings.Mode.REPORT_ONLY) {
            findings.warning("privacy-pass/enforcement", "report-only: every request passes, with or without a token");
        }
        issuers();
        ledger(config.privacyPass().ledger());
        if (!config.admin().address().loopback()) {
            findings.warning(
                    "admin/address", config.admin().address() + ": metrics and context are readable from elsewhere");
        }
    }

    private void listeners() {
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            if (listener.tls() == null && !listener.address().loopback()) {
                findings.warning(
                        "listeners/" + i + "/tls", "none: tokens can be read on the network; use TLS here or in front");
            }
            String all = Ranges.everything(listener.trustedProxies());
            if (all != null) {
                findings.warning(
                        "listeners/" + i + "/trusted-proxies",
                        listener.trustedProxies() + ": every " + all
                                + " client can say that it is another one; name the addresses of the proxies in front");
            }
        }
    }

    private void halfClose() {
        boolean tls = config.listeners().stream().anyMatch(listener -> listener.tls() != null);
        if (tls
                && config.limits().halfClose() == HalfClose.ALLOW
                && config.transport().tlsEngine() != TlsEngine.Kind.JDK) {
            findings.warning(
                    "limits/half-close",
                    "allow: BoringSSL can't respond behind a client's close_notify, and the connection is reset; only the"
                            + " JDK's engine can, with TLS 1.3: transport.tls-engine: jdk");
        }
    }

    /** Warns of tunnels without a limit per client where clients come from elsewhere. */
    private void tunnels(String name, ForwardSettings rules) {
        boolean elsewhere = config.listeners().stream()
                .anyMatch(listener ->
                        name.equals(listener.forward()) && !listener.address().loopback());
        if (elsewhere && rules.tunnel().perClient() == 0) {
            unlimited(name, "tunnel");
        }
        if (elsewhere
                && rules.udp().perClient() == 0
                && !rules.udp().allowPorts().isEmpty()) {
            unlimited(name, "udp");
        }
    }

    private void unlimited(String name, String kind) {
        findings.warning(
                "forward/" + name + "/" + kind + "/per-client",
                "0: one client can take three quarters of the sockets for tunnels; limit the tunnels of a client");
    }

    private void forward(String name, ForwardSettings rules) {
        tunnels(name, rules);
        String all = Ranges.everything(rules.allowPrivate());
        if (all != null) {
            findings.warning(
                    "forward/" + name + "/allow-private",
                    rules.allowPrivate() + ": clients reach every " + all
                            + " address, those of this machine and of the metadata service too; name the ranges that"
                            + " they need");
        }
        CidrSet allowed = CidrSet.of(rules.allowPrivate());
        Nat64Prefixes known = Nat64Prefixes.of(config.transport().nat64Prefixes());
        if (all == null && TRANSLATED.stream().anyMatch(one -> allowed.contains(one) && !known.contains(one))) {
            findings.warning(
                    "forward/" + name + "/allow-private",
                    rules.allowPrivate() + ": clients reach every IPv4 address through a NAT64 translator; add its"
                            + " prefix to transport.nat64-prefixes");
        }
    }

    private void issuers() {
        List<IssuerSettings> issuers = config.privacyPass().issuers();
        for (int i = 0; i < issuers.size(); i++) {
            URI uri = issuers.get(i).directoryUri();
            if (uri != null && uri.getRawPath().matches("/?")) {
                findings.warning(
                        "privacy-pass/issuers/" + i + "/directory",
                        issuers.get(i).directory() + ": no path; issuers have their directory at " + uri.getScheme()
                                + "://" + uri.getRawAuthority() + IssuerSettings.WELL_KNOWN);
            } else if (uri != null
                    && uri.getScheme().equals("http")
                    && issuers.get(i).pin().isEmpty()
                    && !loopback(uri.getHost())) {
                findings.warning(
                        "privacy-pass/issuers/" + i + "/directory",
                        issuers.get(i).directory()
                                + ": an attacker on the network path can insert keys; use https, or pin the"
                                + " key ids");
            }
        }
    }

    private void ledger(LedgerSettings ledger) {
        String path = "privacy-pass/ledger/";
        if (ledger.whenUnknown() == LedgerSettings.WhenUnknown.ACCEPT) {
            findings.warning(path + "when-unknown", "accept: tokens can be spent twice while the store is away");
        }
        if (ledger.whenForgotten() == LedgerSettings.WhenForgotten.ACCEPT) {
            findings.warning(path + "when-forgotten", "accept: spent tokens pass again after a store restarts");
        }
        if (ledger.memcached().copies() > 1 && ledger.whenForgotten() != LedgerSettings.WhenForgotten.ROLL) {
            findings.warning(
                    path + "memcached/copies",
                    ledger.memcached().copies() + ": with when-forgotten " + Kebab.ofConstant(ledger.whenForgotten())
                            + " a token needs all its servers; only roll can leave out one that is away");
        }
    }

    /**
     * Checks the address of Redis from any key.
     *
     * @param sentinel the Sentinels, which are connected to instead of host and port of the address; null for none
     */
    static void redis(String path, RedisAddress address, RedisSettings.@Nullable Sentinel sentinel, Findings findings) {
        HostPort only = new HostPort(address.host(), address.port());
        List<HostPort> servers = sentinel == null ? List.of(only) : sentinel.nodes();
        servers.stream()
                .filter(server -> !address.tls() && !loopback(server.host()))
                .findFirst()
                .ifPresent(server -> findings.warning(
                        path,
                        "redis://" + server
                                + ": an attacker on the network path can read the password and change spends; use"
                                + " rediss://"));
    }

    private static boolean loopback(@Nullable String host) {
        String bare = host == null ? "" : host.replaceAll("[\\[\\]]", "");
        return new HostPort(bare, 1).loopback();
    }
}
