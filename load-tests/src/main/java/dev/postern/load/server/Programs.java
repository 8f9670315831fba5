package dev.postern.load.server;

import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Programs of a distribution: those of the host, or those in a root file system of another distribution, which its own
 * dynamic loader starts as plain child processes.
 *
 * @param distribution name and version
 * @param loader command that the program's path follows; empty for the programs of the host
 */
public record Programs(String distribution, Path root, List<String> loader) {
    public static Programs ofHost() {
        return new Programs(distribution(Path.of("/")), Path.of("/"), List.of());
    }

    /** @throws IllegalArgumentException if the folder contains no dynamic loader of Debian */
    public static Programs in(Path root) {
        try (Stream<Path> libraries = Files.find(root.resolve("usr/lib"), 2, (file, attributes) -> isLoader(file))) {
            Path loader = libraries
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            root + ": no dynamic loader (expected: the root of a Debian)"));
            List<String> command = List.of(loader.toString(), "--library-path", String.valueOf(loader.getParent()));
            return new Programs(distribution(root), root, command);
        } catch (IOException e) {
            throw new IllegalArgumentException(root + ": not readable (expected: the root of a Debian)", e);
        }
    }

    private static boolean isLoader(Path file) {
        return String.valueOf(file.getParent()).endsWith("-linux-gnu")
                && file.getFileName().toString().matches("ld-linux-.*\\.so\\..*");
    }

    /** Returns the command of a program of {@code /usr/sbin}. */
    public List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>(loader);
        command.add(
                loader.isEmpty()
                        ? program
                        : root.resolve("usr/sbin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static String distribution(Path root) {
        return Unchecked.get(() -> Files.readAllLines(root.resolve("etc/os-release")).stream()
                .filter(line -> line.startsWith("PRETTY_NAME="))
                .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
                .findFirst()
                .orElse("unknown distribution"));
    }
}
