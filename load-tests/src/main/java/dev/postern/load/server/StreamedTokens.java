package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Streamed tokens: {@code postern mint -o -} writes them into a named pipe while a simulation reads them. The pipe is full after some hundred
 * tokens, and minting then waits for the reader; no token is older than that.
 */
public record StreamedTokens(ServerProcess mint, Path pipe) implements AutoCloseable {
    /**
     * Starts to mint as soon as a program opens the pipe.
     *
     * @param url whose challenge is answered
     * @param options of {@code postern mint}
     */
    public static StreamedTokens start(RunFolder folder, String url, int count, List<String> options) {
        Path pipe = folder.file("tokens.pipe");
        Command.output(List.of("mkfifo", pipe.toString()));
        List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" > \"$0\"", pipe.toString()));
        command.addAll(Postern.command("mint", url, "-n", String.valueOf(count), "-o", "-"));
        command.addAll(options);
        return new StreamedTokens(ServerProcess.start(folder, "mint", Cores.ANY, command, Postern.ENVIRONMENT), pipe);
    }

    @Override
    public void close() {
        mint.close();
    }
}
