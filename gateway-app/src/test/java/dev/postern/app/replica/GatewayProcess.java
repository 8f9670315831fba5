package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Runs a gateway in another process, like {@code postern run}. */
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

    /**
     * Options of the start.
     *
     * @param prefix command that starts the program, such as {@code setpriv} and its arguments
     * @param flags of the JVM
     * @param environment in addition to that of the test
     * @param classPath of the program, such as that of an older build
     */
    record Launch(List<String> prefix, List<String> flags, Map<String, String> environment, String classPath) {

        /** A fast start, with strict leak detection. */
        static final Launch FRUGAL =
                flags("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dio.netty.leakDetection.level=PARANOID");

        Launch(List<String> prefix, List<String> flags, Map<String, String> environment) {
            this(prefix, flags, environment, System.getProperty("java.class.path"));
        }

        static Launch flags(String... flags) {
            return new Launch(List.of(), List.of(flags), Map.of());
        }

        /** Returns the same options with more flags. */
        Launch with(String... added) {
            return new Launch(
                    prefix, Stream.concat(flags.stream(), Stream.of(added)).toList(), environment, classPath);
        }

        /** Returns the same options for the program in a folder with {@code postern.jar} and {@code lib}. */
        Launch of(Path app) {
            return new Launch(prefix, flags, environment, app.resolve("lib") + "/*:" + app.resolve("postern.jar"));
        }
    }

    /** @param whole configuration, with {@code {port}}, {@code {forward}} and {@code {admin}} for the ports */
    GatewayProcess(Path folder, String name, String whole) throws IOException {
        this(folder, name, whole, Launch.FRUGAL);
    }

    GatewayProcess(Path folder, String name, String whole, Launch launch) throws IOException {
        config = folder.resolve(name + ".yaml");
        log = folder.resolve(name + ".log");
        Files.writeString(
                config,
                whole.replace("{port}", Integer.toString(port))
                        .replace("{forward}", Integer.toString(forward))
                        .replace("{admin}", Integer.toString(admin)));
        List<String> command = new ArrayList<>(launch.prefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            // As the launcher does: else the JVM writes warnings between the lines of the log.
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(launch.flags());
        command.addAll(List.of("-cp", launch.classPath(), "dev.postern.app.cli.Main", "run", "-c", config.toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(launch.environment());
        process = builder.start();
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

    /** Changes the file of its configuration. */
    void rewrite(UnaryOperator<String> change) throws IOException {
        Files.writeString(config, change.apply(Files.readString(config)));
    }

    /** Sends SIGHUP. */
    void hangUp() throws IOException, InterruptedException {
        signal("HUP");
    }

    /** Sends SIGSTOP: the process does not run until {@link #thaw}. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill: " + exit);
        }
    }

    /** Sends SIGTERM, as a scheduler does. */
    void terminate() {
        process.destroy();
    }

    int exitValue() throws InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            throw new AssertionError("gateway still runs after five minutes (expected: it has ended)");
        }
        return process.exitValue();
    }

    /** Kills the process with SIGKILL. */
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
