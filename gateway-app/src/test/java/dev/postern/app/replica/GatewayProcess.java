package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** A gateway in a process of its own, as {@code postern run} starts it. */
final class GatewayProcess implements AutoCloseable {

    private final int port = ServerProcess.freePort();
    private final int forward = ServerProcess.freePort();
    private final int admin = ServerProcess.freePort();
    private final Process process;
    private final Path log;
    private final Path config;

    /**
     * @param yaml the configuration without listeners and admin address
     * @param folder for its files
     */
    GatewayProcess(String name, String yaml, Path folder) throws IOException {
        this(name, yaml, "reno", folder);
    }

    GatewayProcess(String name, String yaml, String congestionControl, Path folder) throws IOException {
        this(
                folder,
                name,
                "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: " + congestionControl
                        + "}\n" + "admin: {address: \"127.0.0.1:{admin}\"}\n" + "log: {successes: 0%}\n" + yaml);
    }

    /** @param whole configuration, with {@code {port}}, {@code {forward}} and {@code {admin}} for the ports */
    GatewayProcess(Path folder, String name, String whole) throws IOException {
        this(folder, name, whole, List.of());
    }

    /** @param jvm options of the JVM beyond those that all have */
    GatewayProcess(Path folder, String name, String whole, List<String> jvm) throws IOException {
        config = folder.resolve(name + ".yaml");
        log = folder.resolve(name + ".log");
        Files.writeString(
                config,
                whole.replace("{port}", Integer.toString(port))
                        .replace("{forward}", Integer.toString(forward))
                        .replace("{admin}", Integer.toString(admin)));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dio.netty.leakDetection.level=PARANOID"));
        command.addAll(jvm);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), "dev.postern.app.Main", "run", "-c", config.toString()));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    GatewayProcess awaitReady() {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .failFast(this::failIfEnded)
                .ignoreExceptions()
                .until(() -> {
                    try (RawClient client = new RawClient(admin)) {
                        return client.send("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                                        .read()
                                        .status()
                                == 200;
                    }
                });
        return this;
    }

    private void failIfEnded() {
        if (!process.isAlive()) {
            throw new AssertionError("gateway ended: " + log());
        }
    }

    int port() {
        return port;
    }

    int forward() {
        return forward;
    }

    int admin() {
        return admin;
    }

    long pid() {
        return process.pid();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Changes the file that its configuration was read from. */
    void rewrite(UnaryOperator<String> change) throws IOException {
        Files.writeString(config, change.apply(Files.readString(config)));
    }

    /** SIGHUP. */
    void hangUp() throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill: " + exit);
        }
    }

    /** SIGTERM, as a scheduler sends it. */
    void terminate() {
        process.destroy();
    }

    int exitValue() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new AssertionError("gateway still runs 30 s after SIGTERM");
        }
        return process.exitValue();
    }

    /** SIGKILL: gone without a word. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
