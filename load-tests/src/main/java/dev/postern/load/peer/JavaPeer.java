package dev.postern.load.peer;

import dev.postern.load.measure.Command;
import dev.postern.load.measure.Progress;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Java peer: a proxy on the JVM, built by Maven at its first use. It is a project of its own below
 * {@code load-tests/peers}, so that its libraries stay apart from those of the gateway.
 */
enum JavaPeer {
    VERTX("vertx", "dev.postern.load.peers.VertxPeer"),
    SPRING_CLOUD_GATEWAY("spring-cloud-gateway", "dev.postern.load.peers.SpringCloudGatewayPeer");

    /** Option for clients of HTTP/2 in clear text, for peers that accept it only with an option. */
    static final String HTTP2 = "h2";

    private static final int OLDEST_THAT_ASKS_FOR_NATIVE_ACCESS = 24;

    private final String folder;
    private final String main;

    JavaPeer(String folder, String main) {
        this.folder = folder;
        this.main = main;
    }

    String folder() {
        return folder;
    }

    /**
     * Builds the peer and returns the command that starts it, with the flags that the gateway's launcher sets; fails if
     * Maven can't find its libraries.
     *
     * @param options additional arguments
     */
    List<String> command(int port, int upstreamPort, String... options) {
        Path built = build();
        List<String> command =
                new ArrayList<>(List.of(Command.ofJdk("java"), "-Dio.netty.leakDetection.level=disabled"));
        if (Runtime.version().feature() >= OLDEST_THAT_ASKS_FOR_NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of(
                "-cp",
                built.resolve("peer.jar") + File.pathSeparator + built.resolve("lib") + File.separator + "*",
                main,
                String.valueOf(port),
                String.valueOf(upstreamPort)));
        command.addAll(List.of(options));
        return command;
    }

    private Path build() {
        Progress.say("building " + folder);
        try {
            Command.output(maven("--offline"));
        } catch (IllegalStateException e) {
            Progress.say("fetching the libraries of " + folder);
            try {
                Command.output(maven("--update-snapshots"));
            } catch (IllegalStateException problem) {
                throw new IllegalStateException(firstError(String.valueOf(problem.getMessage())), problem);
            }
        }
        return Path.of("load-tests", "target", "peers", folder).toAbsolutePath();
    }

    private List<String> maven(String manner) {
        String project = Path.of("load-tests", "peers", folder, "pom.xml").toString();
        return List.of("./mvnw", "-q", "-B", manner, "-f", project, "package");
    }

    /** Returns the first error line of Maven, which contains the cause. */
    static String firstError(String output) {
        return output.lines()
                .filter(line -> line.startsWith("[ERROR]"))
                .map(line -> line.substring("[ERROR]".length()).trim())
                .findFirst()
                .orElse("Maven failed without a word of why");
    }
}
