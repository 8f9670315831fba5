package dev.postern.load.server;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Postern, the program under test, started only through its launcher, as a user would. */
public final class Postern {
    /** Section of a configuration: tunnels without tokens to all high ports of loopback, however long they are idle. */
    public static final String FORWARD_ALL = """
            forward:
              all:
                token: off
                allow-ports: [1024-65535]
                allow-private: [127.0.0.0/8]
                tunnel: {idle: 3600s}
                udp: {allow-ports: [1024-65535], idle: 3600s}
            """;

    private static final Duration MINTING = Duration.ofMinutes(60);

    /** Turns leak detection off, because it costs CPU time. */
    static final Map<String, String> ENVIRONMENT = Map.of("POSTERN_LEAK_DETECTION", "disabled");

    private Postern() {}

    /** Returns the command that starts the program, as a user would call it; the working directory is the project's root. */
    static List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Path.of("postern").toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a gateway with this configuration; it is ready when its admin address reports ready. */
    public static ServerProcess gateway(RunFolder folder, String name, Cores cores, String yaml, int adminPort) {
        return gateway(folder, name, cores, yaml, adminPort, Map.of());
    }

    /**
     * Starts a gateway with another JDK or other flags.
     *
     * @param environment of the launcher: {@code JAVA_HOME}, {@code POSTERN_JAVA_OPTS}
     */
    public static ServerProcess gateway(
            RunFolder folder, String name, Cores cores, String yaml, int adminPort, Map<String, String> environment) {
        Path config = folder.write(name + ".yaml", yaml);
        Map<String, String> all = new HashMap<>(ENVIRONMENT);
        all.putAll(environment);
        return ready(ServerProcess.start(folder, name, cores, command("run", "-c", config.toString()), all), adminPort);
    }

    /**
     * Starts a gateway of another build on the core of the measured process.
     *
     * @param launcher of that build
     */
    public static ServerProcess gatewayOf(Path launcher, RunFolder folder, String name, String yaml, int adminPort) {
        Path config = folder.write(name + ".yaml", yaml);
        List<String> command = List.of(launcher.toString(), "run", "-c", config.toString());
        return ready(ServerProcess.start(folder, name, Cores.MEASURED, command, ENVIRONMENT), adminPort);
    }

    private static ServerProcess ready(ServerProcess gateway, int adminPort) {
        return gateway.await(
                Duration.ofSeconds(120), Readiness.responses(URI.create("http://127.0.0.1:" + adminPort + "/readyz")));
    }

    /** Starts another subcommand that keeps running; it is ready when it listens on this port. */
    public static ServerProcess server(RunFolder folder, String name, Cores cores, int port, String... arguments) {
        ServerProcess process = ServerProcess.start(folder, name, cores, command(arguments), ENVIRONMENT);
        return process.await(Duration.ofSeconds(120), Readiness.accepts(port));
    }

    /** Mints tokens into a file, one a line, with its progress on the terminal. */
    public static void mint(RunFolder folder, String url, int count, Path file, List<String> options) {
        List<String> command = command("mint", url, "-n", String.valueOf(count), "-o", file.toString());
        command.addAll(options);
        try (ServerProcess process = ServerProcess.startVisibly(folder, "mint", command, ENVIRONMENT)) {
            int status = process.awaitEnd(MINTING);
            if (status != 0) {
                throw new IllegalStateException("mint: exit status " + status + " (expected: 0)");
            }
        }
    }

    /** Runs a subcommand that ends by itself; any status but 0 is an error. */
    public static void call(RunFolder folder, String name, Duration atMost, String... arguments) {
        try (ServerProcess process = ServerProcess.start(folder, name, Cores.ANY, command(arguments), ENVIRONMENT)) {
            int status = process.awaitEnd(atMost);
            if (status != 0) {
                throw new IllegalStateException(
                        name + ": exit status " + status + " (expected: 0)\n" + process.endOfLog());
            }
        }
    }
}
