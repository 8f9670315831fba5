package dev.postern.app.cli;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.LedgerConfig;
import dev.postern.app.config.PrivacyPassConfig;
import dev.postern.app.config.RateLimitConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.read.Loaded;
import dev.postern.app.config.type.HostPort;
import dev.postern.auth.key.DirectoryClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Tries whether what a configuration names can be reached from here. Blocks. */
final class Reach {

    private static final int DEADLINE_MILLIS = 3_000;

    private final Loaded loaded;
    private final GatewayConfig config;
    private final List<Tried> tried = new ArrayList<>();

    Reach(Loaded loaded) {
        this.loaded = loaded;
        this.config = loaded.config();
    }

    /** One thing that was tried; {@code detail} begins with a colon or is empty. */
    record Tried(String what, boolean reached, String detail) {}

    List<Tried> tryAll() throws IOException {
        LedgerConfig ledger = config.privacyPass().ledger();
        if (ledger.store() == LedgerConfig.Store.MEMCACHED) {
            ledger.memcached()
                    .servers()
                    .forEach(server -> connect("memcached " + server, server.host(), server.port()));
        }
        if (ledger.store() == LedgerConfig.Store.REDIS
                || config.rateLimits().stream().anyMatch(l -> l.store() == RateLimitConfig.Store.REDIS)) {
            redis();
        }
        for (UpstreamConfig upstream : config.upstreams()) {
            for (String endpoint : upstream.endpoints()) {
                if (endpoint.startsWith("unix:")) {
                    local("upstream " + upstream.name() + " " + endpoint, Path.of(endpoint.substring(5)));
                    continue;
                }
                HostPort at = HostPort.of(endpoint.startsWith("dns:") ? endpoint.substring(4) : endpoint);
                connect("upstream " + upstream.name() + " " + endpoint, at.host(), at.port());
            }
        }
        try (DirectoryClient client = new DirectoryClient(InstantSource.system(), null)) {
            for (PrivacyPassConfig.Issuer issuer : config.privacyPass().issuers()) {
                if (issuer.directory() != null) {
                    directory(client, issuer.name(), URI.create(issuer.directory()));
                }
            }
        }
        return List.copyOf(tried);
    }

    private void redis() throws IOException {
        String file = config.redis().uriFile();
        URI uri = URI.create(
                file == null
                        ? config.redis().uri()
                        : Files.readString(loaded.base().resolve(file)).trim());
        int port = uri.getPort() < 0 ? 6379 : uri.getPort();
        connect("redis " + uri.getHost() + ":" + port, uri.getHost(), port);
    }

    private void connect(String what, String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), DEADLINE_MILLIS);
            tried.add(new Tried(what, true, ""));
        } catch (IOException e) {
            tried.add(new Tried(what, false, ": " + e.getMessage()));
        }
    }

    private void local(String what, Path path) {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            tried.add(new Tried(what, socket.isConnected(), ""));
        } catch (IOException e) {
            tried.add(new Tried(what, false, ": " + e.getMessage()));
        }
    }

    private void directory(DirectoryClient client, String issuer, URI uri) {
        String what = "issuer " + issuer;
        try {
            client.fetch(uri, null).get(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
            tried.add(new Tried(what, true, ""));
        } catch (ExecutionException e) {
            tried.add(new Tried(what, false, ": " + e.getCause()));
        } catch (TimeoutException e) {
            tried.add(new Tried(what, false, ": no answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            tried.add(new Tried(what, false, ": interrupted"));
        }
    }
}
