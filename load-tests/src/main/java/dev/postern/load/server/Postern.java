package dev.postern.load.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The program under test, started only through its launcher, as a user would. */
public final class Postern {
    /** Leak detection costs, so a measurement is taken without it and says so. */
    private static final Map<String, String> ENVIRONMENT = Map.of("POSTERN_LEAK_DETECTION", "disabled");

    private Postern() {}

    /** A gateway with this configuration; ready when its admin address says so. */
    public static ServerProcess gateway(RunFolder folder, String name, Cores cores, String yaml, int adminPort) {
        return gateway(folder, name, cores, yaml, adminPort, Map.of());
    }

    /**
     * The same with another JDK or other flags.
     *
     * @param environment what the launcher reads: {@code JAVA_HOME}, {@code POSTERN_JAVA_OPTS}
     */
    public static ServerProcess gateway(
            RunFolder folder, String name, Cores cores, String yaml, int adminPort, Map<String, String> environment) {
        Path config = folder.write(name + ".yaml", yaml);
        Map<String, String> all = new HashMap<>(ENVIRONMENT);
        all.putAll(environment);
        ServerProcess process = ServerProcess.start(folder, name, cores, command("run", "-c", config.toString()), all);
        return process.await(
                Duration.ofSeconds(120), Readiness.answers(URI.create("http://127.0.0.1:" + adminPort + "/readyz")));
    }

    /** Another subcommand that stays up, ready when somebody listens on this port. */
    public static ServerProcess server(RunFolder folder, String name, Cores cores, int port, String... arguments) {
        ServerProcess process = ServerProcess.start(folder, name, cores, command(arguments), ENVIRONMENT);
        return process.await(Duration.ofSeconds(120), Readiness.accepts(port));
    }

    /** A subcommand that does its work and ends; anything but status 0 is an error. */
    public static void call(RunFolder folder, String name, Duration atMost, String... arguments) {
        try (ServerProcess process = ServerProcess.start(folder, name, Cores.ANY, command(arguments), ENVIRONMENT)) {
            int status = process.awaitEnd(atMost);
            if (status != 0) {
                throw new IllegalStateException(
                        name + ": exit status " + status + " (expected: 0)\n" + process.endOfLog());
            }
        }
    }

    private static List<String> command(String... arguments) {
        Path launcher = Path.of("postern").toAbsolutePath();
        if (!Files.isExecutable(launcher)) {
            throw new IllegalStateException(launcher + ": not found (expected: the launcher in the project's root)");
        }
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return command;
    }
}
