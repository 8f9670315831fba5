package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What stands around a hunted gateway, all of it healthy: an origin, a memcached, and the configuration that names them. */
final class HuntGround implements AutoCloseable {

    private final Path folder;
    private final TestOrigin origin = new TestOrigin();
    private final ServerProcess memcached = ServerProcess.memcached(64);

    HuntGround(Path folder) {
        this.folder = folder;
        memcached.start();
    }

    TestOrigin origin() {
        return origin;
    }

    ServerProcess memcached() {
        return memcached;
    }

    /** All as it should be, with a path that is open and one that asks for tokens. */
    String yaml(String client, String server) throws IOException {
        return "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\"}\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n"
                + "log: {successes: 0%}\n"
                + "limits: {connections: 1000}\n"
                + Replicas.yaml(
                                1,
                                Replicas.ring(folder),
                                origin.address(),
                                "{store: memcached, deadline: 2s, memcached: {servers: [\"" + server + "\"], client: "
                                        + client + "}}")
                        .replace(", congestion-control: reno", "")
                + "  - {path: /open, upstream: app, token: off}\n";
    }

    String yaml() throws IOException {
        return yaml("netty", memcached.address());
    }

    /** A start under which commands to memcached go as the first ancestor's did: in three writes each, on sockets with Nagle's algorithm. */
    GatewayProcess.Launch nagle() throws IOException, InterruptedException {
        Path source = folder.resolve("nagle.c");
        Path library = folder.resolve("nagle.so");
        try (InputStream in = HuntGround.class.getResourceAsStream("nagle.c")) {
            Files.write(source, Objects.requireNonNull(in).readAllBytes());
        }
        Process compiler = new ProcessBuilder(
                        ServerProcess.find("gcc").toString(),
                        "-shared",
                        "-fPIC",
                        "-O1",
                        "-w",
                        "-o",
                        library.toString(),
                        source.toString())
                .inheritIO()
                .start();
        assertThat(compiler.waitFor()).isZero();
        return new GatewayProcess.Launch(
                List.of(),
                List.of(Hunted.HEALTHY),
                Map.of("LD_PRELOAD", library.toString(), "SPOILT_PORT", Integer.toString(memcached.port())));
    }

    @Override
    public void close() {
        memcached.close();
        origin.close();
    }
}
