package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
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

    /** Launcher of a checkout. */
    public static final Path LAUNCHER = Path.of("postern");

    private static final Duration MINTING = Duration.ofMinutes(60);

    /** Turns leak detection off, because it costs CPU time. */
    public static final Map<String, String> ENVIRONMENT = Map.of("POSTERN_LEAK_DETECTION", "disabled");

    private Postern() {}

    /** Returns the command that starts the program, as a user would call it; the working directory is the project's root. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(LAUNCHER.toAbsolutePath().toString()));
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
        Map<String, String> all = new HashMap<>(ENVIRONMENT);
        all.putAll(environment);
        return ready(ServerProcess.start(folder, name, cores, run(LAUNCHER, folder, name, yaml), all), adminPort);
    }

    /**
     * Starts a gateway of another build on the core of the measured process.
     *
     * @param launcher of that build
     */
    public static ServerProcess gatewayOf(Path launcher, RunFolder folder, String name, String yaml, int adminPort) {
        List<String> command = run(launcher, folder, name, yaml);
        return ready(ServerProcess.start(folder, name, Cores.MEASURED, command, ENVIRONMENT), adminPort);
    }

    private static List<String> run(Path launcher, RunFolder folder, String name, String yaml) {
        Path config = folder.write(name + ".yaml", yaml);
        return List.of(launcher.toAbsolutePath().toString(), "run", "-c", config.toString());
    }

    private static ServerProcess ready(ServerProcess gateway, int adminPort) {
        return gateway.await(
                Duration.ofSeconds(120), Readiness.responses(URI.create("http://127.0.0.1:" + adminPort + "/readyz")));
    }

    /** Returns a secret for a key ring or an admin address. */
    public static String secret() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return Base64.getEncoder().encodeToString(secret);
    }

    /** Starts an issuer of tokens on this port. */
    public static void issuer(RunFolder folder, int port, String... options) {
        List<String> command = command("issuer", "--address", "127.0.0.1:" + port);
        command.addAll(List.of(options));
        ServerProcess.start(folder, "issuer", Cores.ANY, command, ENVIRONMENT)
                .await(Duration.ofSeconds(120), Readiness.accepts(port));
    }

    /** Mints tokens into a file, one a line, with its progress on the terminal. */
    public static void mint(RunFolder folder, String url, int count, Path file, List<String> options) {
        List<String> command = command("mint", url, "-n", String.valueOf(count), "-o", file.toString());
        command.addAll(options);
        ServerProcess.startVisibly(folder, "mint", command, ENVIRONMENT).awaitSuccess(MINTING);
    }

    /**
     * Starts to mint into a named pipe as soon as a program opens it, and returns the pipe. It is full after some hundred
     * tokens, and minting then waits for the reader; no token is older than that.
     */
    public static Path stream(RunFolder folder, String url, int count, List<String> options) {
        Path pipe = folder.file("tokens.pipe");
        Command.output("mkfifo", pipe);
        List<String> command = Command.of("sh -c", "exec \"$@\" > \"$0\"", pipe);
        command.addAll(command("mint", url, "-n", String.valueOf(count), "-o", "-"));
        command.addAll(options);
        ServerProcess.start(folder, "mint", Cores.ANY, command, ENVIRONMENT);
        return pipe;
    }
}
