package dev.postern.app.cli.check;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.type.RedisAddress;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.redis.RedisMemory;
import dev.postern.core.redis.RedisPermission;
import dev.postern.core.redis.RedisUri;
import dev.postern.core.tls.certificate.PemChecks;
import dev.postern.core.transport.FailureText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks the Redis of a configuration: reachable, with this login, a master, and with all commands that the gateway needs. Blocks. */
final class RedisCheck {

    private static final int DEADLINE_MILLIS = 3_000;

    private final RedisSettings settings;
    private final RedisUri uri;
    private final RedisAddress address;
    private final Consumer<ConnectivityCheck.Tried> tried;

    RedisCheck(LoadedConfig loaded, Consumer<ConnectivityCheck.Tried> tried) throws IOException {
        this.settings = loaded.config().redis();
        this.tried = tried;
        String file = settings.uriFile();
        String text =
                file == null ? settings.uri() : Files.readString(Path.of(file)).trim();
        this.uri = RedisUri.of(text);
        this.address = RedisAddress.of(text);
    }

    /** Users of Redis: the keys that they use, and the commands. */
    record Use(String what, String key, List<RedisPermission> permissions) {

        static Use ledger(String namespace, boolean cluster) {
            return new Use("ledger", namespace + ":1:{check}:" + UUID.randomUUID(), RedisPermission.ledger(cluster));
        }

        static Use rooms(String namespace, boolean cluster) {
            String key = "postern:" + namespace + ":check:{" + UUID.randomUUID() + '}';
            return new Use("rooms and limits", key, RedisPermission.rooms(cluster));
        }
    }

    /** Work with an open connection. */
    @FunctionalInterface
    private interface Work {

        void with(RedisProbe probe) throws IOException;
    }

    void run(List<Use> uses) {
        RedisSettings.Sentinel sentinel = settings.sentinel();
        if (sentinel == null) {
            server(new HostPort(address.host(), address.port()), uses);
            return;
        }
        boolean found = false;
        for (HostPort node : sentinel.nodes()) {
            HostPort[] master = new HostPort[1];
            probe("sentinel " + node, node, probe -> {
                List<String> known = probe.master(sentinel.master());
                master[0] = new HostPort(known.get(0), Integer.parseInt(known.get(1)));
            });
            if (master[0] != null && !found) {
                found = true;
                server(master[0], uses);
            }
        }
    }

    private void server(HostPort server, List<Use> uses) {
        String subject = "redis " + server;
        StringBuilder info = new StringBuilder();
        boolean usable = probe(subject, server, probe -> {
            probe.login(uri, address.database());
            info.append(probe.info());
            if (!info.isEmpty()) {
                probe.requireKind(info.toString());
            }
        });
        if (usable && !info.isEmpty()) {
            memory(subject, info.toString());
        }
        for (Use use : usable ? uses : List.<Use>of()) {
            probe(subject + ", permissions of " + use.what, server, probe -> {
                probe.login(uri, address.database());
                Set<String> faults = probe.faults(use.permissions, use.key);
                if (!faults.isEmpty()) {
                    throw new RedisProbe.Refused(String.join("; ", faults));
                }
            });
        }
    }

    private void memory(String subject, String info) {
        String objection;
        try {
            objection = RedisMemory.parse(info).objection();
        } catch (IllegalArgumentException e) {
            objection = String.valueOf(e.getMessage());
        }
        if (!objection.isEmpty()) {
            tried.accept(new ConnectivityCheck.Tried(subject + ", memory", false, objection));
        }
    }

    private boolean probe(String subject, HostPort server, Work work) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(DEADLINE_MILLIS);
            socket.connect(new InetSocketAddress(server.host(), server.port()), DEADLINE_MILLIS);
            try (Socket used = address.tls() ? shake(socket, server.host()) : socket) {
                work.with(new RedisProbe(used, settings.cluster()));
            }
            tried.accept(new ConnectivityCheck.Tried(subject, true, ""));
            return true;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            tried.accept(new ConnectivityCheck.Tried(subject, false, FailureText.of(e)));
            return false;
        }
    }

    private Socket shake(Socket socket, String name) throws IOException, GeneralSecurityException {
        RedisSettings.Tls tls = settings.tls();
        Path authorities = path(tls == null ? null : tls.caFile());
        Path certificate = path(tls == null ? null : tls.certificateFile());
        Path key = path(tls == null ? null : tls.privateKeyFile());
        return TlsProbe.shake(
                socket,
                name,
                authorities,
                certificate == null || key == null ? null : PemChecks.keyManagers(certificate, key));
    }

    private static @Nullable Path path(@Nullable String file) {
        return file == null ? null : Path.of(file);
    }
}
