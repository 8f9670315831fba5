package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Run folder under {@code target}: generated configurations, logs and tokens of one run, kept for inspection. What the
 * run has started is closed with the folder in reverse order, all of it even if one fails. Thread-safe.
 */
public final class RunFolder implements AutoCloseable {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Path path;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    /** Closes all also when the run is interrupted or fails. */
    private final Thread hook = new Thread(this::stop, "stop-run");

    private RunFolder(Path path) {
        this.path = path;
    }

    /** Creates a new, empty folder; the working directory is the project's root. */
    public static RunFolder create(String name) {
        Path parent = Path.of("load-tests", "target", "runs").toAbsolutePath();
        try {
            Files.createDirectories(parent);
            String stamp = name + "-" + LocalDateTime.now().format(STAMP) + "-";
            RunFolder folder = new RunFolder(Files.createTempDirectory(parent, stamp));
            Runtime.getRuntime().addShutdownHook(folder.hook);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(parent + ": not writable (expected: run from the project's root)", e);
        }
    }

    /** Returns the run folder at this path, which exists. */
    public static RunFolder at(Path path) {
        return new RunFolder(path);
    }

    /** Returns a part of the run, a folder inside of this one that may be closed earlier. */
    public RunFolder part(String name) {
        return add(at(folder(name)));
    }

    /** Adds a resource that the run has started, and returns it. */
    public synchronized <T extends AutoCloseable> T add(T one) {
        started.push(one);
        return one;
    }

    public Path file(String name) {
        return path.resolve(name);
    }

    /** Creates a folder inside of this one. */
    public Path folder(String name) {
        return Unchecked.get(() -> Files.createDirectories(path.resolve(name)));
    }

    public Path write(String name, String text) {
        return Unchecked.get(() -> Files.writeString(path.resolve(name), text));
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the hook finds nothing to stop
        }
    }

    private synchronized void stop() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                Progress.say("while stopping: " + e);
            }
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
