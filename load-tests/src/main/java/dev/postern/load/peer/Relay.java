package dev.postern.load.peer;

import dev.postern.load.measure.Command;
import dev.postern.load.server.RunFolder;
import java.nio.file.Path;
import java.util.List;

/** Relay as a lower bound for all proxies: a program in C that only relays bytes, compiled at its first use. */
final class Relay {
    private static final Path SOURCE = Path.of("load-tests", "src", "main", "c", "relay.c");

    private Relay() {}

    /** Compiles the program and returns its path; a warning of the compiler is an error. */
    static Path compile(RunFolder folder) {
        Path program = folder.file("relay");
        Command.output(
                List.of("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program.toString(), SOURCE.toString()));
        return program;
    }
}
