package dev.postern.load.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Launcher of one build of the program: the one of this project, or another.
 *
 * @param command that the program's arguments follow
 * @param environment of the launcher, such as {@code JAVA_HOME} and {@code POSTERN_JAVA_OPTS}
 */
public record Launcher(List<String> command, Map<String, String> environment) {
    private static final String SCRIPT = "postern";
    private static final String JAR = "postern.jar";
    private static final int STRICT_JDK = 24;

    /** Turns leak detection off, because it costs CPU time. */
    private static final Map<String, String> ENVIRONMENT = Map.of("POSTERN_LEAK_DETECTION", "disabled");

    /** Returns the launcher of this project, as a user would call it; the working directory is the project's root. */
    public static Launcher own() {
        return of(Path.of(""));
    }

    /**
     * Returns the launcher of a build.
     *
     * @param place a checkout of the project, a folder with {@code postern.jar} and its {@code lib}, or that jar
     * @throws IllegalArgumentException if the place is none of these
     */
    public static Launcher of(Path place) {
        Path found = place.toAbsolutePath().normalize();
        Path script = found.resolve(SCRIPT);
        Path jar = Files.isDirectory(found) ? found.resolve(JAR) : found;
        if (Files.isExecutable(script)) {
            return new Launcher(List.of(script.toString()), ENVIRONMENT);
        }
        if (Files.isRegularFile(jar) && Files.isDirectory(jar.resolveSibling("lib"))) {
            return new Launcher(java(jar), ENVIRONMENT);
        }
        throw new IllegalArgumentException(
                found + ": no build (expected: a checkout, or a folder with " + JAR + " and lib, or that jar)");
    }

    /** Returns the JVM command with the options that the script of a checkout sets. */
    private static List<String> java(Path jar) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+ExitOnOutOfMemoryError",
                "-Dio.netty.leakDetection.level=disabled"));
        if (Runtime.version().feature() >= STRICT_JDK) {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.addAll(List.of("-cp", jar.resolveSibling("lib") + "/*:" + jar, "dev.postern.app.cli.Main"));
        return command;
    }

    /** Returns the same launcher with additional variables in its environment. */
    public Launcher with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        return new Launcher(command, all);
    }

    List<String> command(String... arguments) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(arguments));
        return whole;
    }
}
