package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Key;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.transport.Transport;
import io.netty.util.NetUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Transport: sockets, event loops and buffers. */
public record TransportConfig(
        @Key(
                defaultValue = "auto",
                description = "`auto`: epoll where its native library loads, else nio. `io-uring` only if set here.")
        Transport.Kind kind,

        @Key(
                defaultValue = "auto",
                description =
                        "TLS of listeners and upstreams. `auto`: BoringSSL where its native library loads and passes"
                                + " a self-test, else the JDK's. `boringssl`: an error at start where it does not.")
        TlsEngine.Kind tlsEngine,

        @Key(defaultValue = "0", min = "0", max = "1024", description = "Number of event loops; 0: one per core.")
        int eventLoops,

        @Key(
                defaultValue = "true",
                description = "TCP_NODELAY: a segment is sent before the previous one is acknowledged.")
        boolean tcpNoDelay,

        @Key(
                defaultValue = "bbr",
                description =
                        "TCP congestion control of each socket, set and read back; `system`: the kernel's default.")
        String congestionControl,

        @Key(defaultValue = "auto", description = "Allocator of buffers; `auto`: Netty's choice.")
        Allocator allocator,

        @Key(defaultValue = "[]", description = "DNS servers by IP address; empty: those of the system.")
        List<HostPort> nameServers,

        @Key(
                defaultValue = "[\"64:ff9b::/96\", \"64:ff9b:1::/48\"]",
                description =
                        "Prefixes of NAT64 translators in this network. A forward listener permits an address inside only if"
                                + " it permits the embedded IPv4 address (RFC 6052) too; clients inside count by that address.")
        List<String> nat64Prefixes) {

    public TransportConfig {
        nameServers = List.copyOf(nameServers);
        nat64Prefixes = List.copyOf(nat64Prefixes);
        Checks checks = Checks.of();
        checkCongestionControl(checks, congestionControl);
        checks.each(
                        "name-servers",
                        nameServers,
                        TransportConfig::isNameServer,
                        "an address and its port, such as 127.0.0.1:53")
                .each("nat64-prefixes", nat64Prefixes, Nat64Prefixes::isPrefix, Nat64Prefixes.EXPECTED)
                .done();
    }

    private static boolean isNameServer(HostPort server) {
        return NetUtil.createByteArrayFromIpAddressString(server.host()) != null && server.connectable();
    }

    static void checkCongestionControl(Checks checks, @Nullable String name) {
        checks.that(
                name == null || name.matches("[a-z0-9_-]{1,15}"),
                "congestion-control",
                name + "",
                "system, or the kernel's name such as bbr, cubic or reno");
    }

    /** Allocator of Netty buffers. */
    public enum Allocator {
        AUTO,
        ADAPTIVE,
        POOLED
    }
}
