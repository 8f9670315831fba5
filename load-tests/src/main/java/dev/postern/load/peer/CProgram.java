package dev.postern.load.peer;

import dev.postern.load.measure.Command;
import dev.postern.load.server.Cores;
import dev.postern.load.server.RunFolder;
import dev.postern.load.server.ServerProcess;
import java.nio.file.Path;
import java.util.List;

/** Program in C of this module, compiled at its first use: relays as lower bounds for all proxies, and a load generator. */
public final class CProgram {
    private static final Path SOURCES = Path.of("load-tests", "src", "main", "c");

    private CProgram() {}

    /** Starts the relay of bytes on the measured core. */
    public static ServerProcess relay(RunFolder folder, String name, int port, int destination) {
        List<String> command = Command.of(compile(folder, "relay").toString(), port, destination);
        return ServerProcess.listening(folder, name, Cores.MEASURED, command, port);
    }

    /** Compiles the program and returns its path; a warning of the compiler is an error. */
    public static Path compile(RunFolder folder, String name) {
        Path program = folder.file(name);
        Path source = SOURCES.resolve(name + ".c");
        Command.output("gcc -O2 -Wall -Wextra -Werror -pthread -o", program, source);
        return program;
    }
}
