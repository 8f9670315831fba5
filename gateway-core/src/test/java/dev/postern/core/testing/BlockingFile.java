package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** File that blocks each thread that reads it, until {@link #serve} gives it a text: a named pipe. */
public record BlockingFile(Path path) {

    /** Creates the pipe, by {@code mkfifo}. */
    public static BlockingFile in(Path folder) {
        Path path = folder.resolve("pipe");
        try {
            Process made = new ProcessBuilder("mkfifo", "-m", "600", path.toString())
                    .inheritIO()
                    .start();
            if (!made.waitFor(10, TimeUnit.SECONDS) || made.exitValue() != 0) {
                throw new IllegalStateException("mkfifo: no pipe");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return new BlockingFile(path);
    }

    /** Returns the names of the threads that are reading a file for a class of {@code core.redis}. */
    public static Set<String> readers() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> within(thread, Files.class.getName()) && within(thread, "dev.postern.core.redis"))
                .map(thread -> thread.getKey().getName())
                .collect(Collectors.toSet());
    }

    private static boolean within(Map.Entry<Thread, StackTraceElement[]> thread, String prefix) {
        return Arrays.stream(thread.getValue())
                .anyMatch(frame -> frame.getClassName().startsWith(prefix));
    }

    /** Gives the text to one reader after the other until the condition holds; returns the names of their threads. */
    public Set<String> serve(String text, BooleanSupplier end) {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Awaitility.await().until(() -> {
            Set<String> readers = readers();
            seen.addAll(readers);
            if (!readers.isEmpty()) {
                give(text);
            }
            return end.getAsBoolean();
        });
        return seen;
    }

    private void give(String text) throws IOException {
        // Opened for both, since it would wait for a reader otherwise, and the last one may have gone.
        try (FileChannel pipe = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            pipe.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
