package dev.postern.app.cli.check;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.key.DirectoryClient;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.certificate.PemChecks;
import dev.postern.core.transport.FailureText;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import dev.postern.ratelimit.store.RateLimitRule;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Checks whether the servers named in a configuration are reachable from this host. Blocks. */
public final class ConnectivityCheck {

    private static final int DEADLINE_MILLIS = 3_000;

    private final LoadedConfig loadedConfig;
    private final GatewayConfig config;
    private final List<Tried> tried = new ArrayList<>();

    public ConnectivityCheck(LoadedConfig loadedConfig) {
        this.loadedConfig = loadedConfig;
        this.config = loadedConfig.config();
    }

    /**
     * Result of one connection attempt.
     *
     * @param what kind and address of the server
     * @param reason why the server was not reached; empty if it was
     */
    public record Tried(String what, boolean reached, String reason) {}

    /** Action on an established connection. */
    @FunctionalInterface
    private interface Opened {

        void with(Socket socket) throws IOException, GeneralSecurityException;
    }

    /** Tries all servers in the order of the configuration. */
    public List<Tried> tryAll() throws IOException {
        LedgerSettings ledger = config.privacyPass().ledger();
        if (ledger.store() == LedgerSettings.Store.MEMCACHED) {
            ledger.memcached().servers().forEach(server -> connect("memcached " + server, server.resolve(), s -> {}));
            ledger.memcached()
                    .statsServers()
                    .forEach(server -> connect("memcached " + server, server.resolve(), s -> {}));
        }
        redis(ledger.store() == LedgerSettings.Store.REDIS);
        config.upstreams().forEach(this::upstream);
        try (DirectoryClient client = new DirectoryClient(InstantSource.system(), null)) {
            for (IssuerSettings issuer : config.privacyPass().issuers()) {
                URI uri = issuer.directoryUri();
                if (uri != null) {
                    directory(client, issuer.name(), uri);
                }
            }
        }
        return List.copyOf(tried);
    }

    private void redis(boolean ledger) throws IOException {
        String namespace = config.instance().namespace();
        boolean cluster = config.redis().cluster();
        List<RedisCheck.Use> uses = new ArrayList<>();
        if (ledger) {
            uses.add(RedisCheck.Use.ledger(namespace, cluster));
        }
        if (config.rateLimits().stream().anyMatch(limit -> limit.store() == RateLimitRule.Store.REDIS)) {
            uses.add(RedisCheck.Use.rooms(namespace, cluster));
        }
        if (!uses.isEmpty()) {
            new RedisCheck(loadedConfig, tried::add).run(uses);
        }
    }

    private void upstream(UpstreamConfig upstream) {
        ClientTls.Settings tls = upstream.tls();
        for (String endpoint : upstream.endpoints()) {
            String subject = "upstream " + upstream.name() + " " + endpoint;
            EndpointSpec spec = EndpointSpec.of(endpoint);
            if (spec.address() instanceof DomainSocketAddress local) {
                local(subject, Path.of(local.path()));
            } else if (spec.address() instanceof InetSocketAddress address) {
                String name = tls == null || tls.serverName() == null ? address.getHostString() : tls.serverName();
                connect(subject, known(address), socket -> shake(socket, tls, name));
            }
        }
    }

    private static InetSocketAddress known(InetSocketAddress address) {
        return address.isUnresolved() ? new InetSocketAddress(address.getHostString(), address.getPort()) : address;
    }

    private void shake(Socket socket, ClientTls.@Nullable Settings tls, String name)
            throws IOException, GeneralSecurityException {
        if (tls == null) {
            return;
        }
        Path certificate = tls.certificateFile();
        Path key = tls.privateKeyFile();
        TlsProbe.shake(
                socket,
                name,
                tls.caFile(),
                certificate == null || key == null ? null : PemChecks.keyManagers(certificate, key));
    }

    private void connect(String subject, InetSocketAddress address, Opened opened) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.connect(address, DEADLINE_MILLIS);
            opened.with(socket);
            tried.add(new Tried(subject, true, ""));
        } catch (IOException | GeneralSecurityException e) {
            tried.add(new Tried(subject, false, FailureText.of(e)));
        }
    }

    private void local(String subject, Path path) {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            tried.add(new Tried(subject, socket.isConnected(), ""));
        } catch (IOException e) {
            tried.add(new Tried(subject, false, FailureText.of(e)));
        }
    }

    private void directory(DirectoryClient client, String issuer, URI uri) {
        String subject = "issuer " + issuer + " " + uri;
        try {
            client.fetch(uri, null).get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            tried.add(new Tried(subject, true, ""));
        } catch (ExecutionException e) {
            tried.add(new Tried(subject, false, FailureText.of(e)));
        } catch (TimeoutException e) {
            tried.add(new Tried(subject, false, FailureText.of(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            tried.add(new Tried(subject, false, "interrupted"));
        }
    }
}
