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

/** Healthy environment of an observed gateway: an origin, a memcached, and the configuration that names them. */
final class ObservedEnvironment implements AutoCloseable {

    private final Path folder;
    private final TestOrigin origin = new TestOrigin();
    private final ServerProcess memcached = ServerProcess.memcached(64);

    ObservedEnvironment(Path folder) {
        this.folder = folder;
        memcached.start();
    }

    TestOrigin origin() {
        return origin;
    }

    ServerProcess memcached() {
        return memcached;
    }

    /** Returns a healthy configuration, with a path without rules and one that requires tokens. */
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

    /** Returns a launch in which commands to memcached are sent in three writes each, on sockets with Nagle's algorithm. */
    GatewayProcess.Launch nagle() throws IOException, InterruptedException {
        Path source = folder.resolve("nagle.c");
        Path library = folder.resolve("nagle.so");
        try (InputStream in = ObservedEnvironment.class.getResourceAsStream("nagle.c")) {
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
                List.of(ObservedGateway.HEALTHY),
                Map.of("LD_PRELOAD", library.toString(), "SPOILT_PORT", Integer.toString(memcached.port())));
    }

    @Override
    public void close() {
        memcached.close();
        origin.close();
    }
}
