package dev.postern.load.server;

import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Server process of a run, with all processes that it starts itself; its output goes to a log in the run's folder. The
 * process ends with the run, or when it is closed before.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofMillis(20);

    /**
     * Time between two checks whether the process is quiet; a quiet process uses at most two ticks of the kernel's
     * clock meanwhile.
     */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Duration QUIET = Duration.ofMillis(20);
    private static final int MAX_LOOKS = 30;

    private final String name;
    private final Process process;
    private final Path log;

    private ServerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    public static ServerProcess start(RunFolder folder, String name, Cores cores, List<String> command) {
        return start(folder, name, cores, command, Map.of());
    }

    public static ServerProcess start(
            RunFolder folder, String name, Cores cores, List<String> command, Map<String, String> environment) {
        return launch(folder, name, cores.pin(command), environment, false);
    }

    /** Starts a server, and returns when it accepts connections on its port. */
    public static ServerProcess listening(RunFolder folder, String name, Cores cores, List<String> command, int port) {
        return start(folder, name, cores, command).await(PATIENCE, Readiness.accepts(port));
    }

    /** Starts a program whose output goes to the terminal. */
    public static ServerProcess startVisibly(
            RunFolder folder, String name, List<String> command, Map<String, String> environment) {
        return launch(folder, name, command, environment, true);
    }

    private static ServerProcess launch(
            RunFolder folder, String name, List<String> command, Map<String, String> environment, boolean visible) {
        Path log = folder.file(name + ".out");
        Redirect output = visible ? Redirect.INHERIT : Redirect.appendTo(log.toFile());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(output)
                .redirectError(output)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        try {
            return folder.add(new ServerProcess(name, builder.start(), log));
        } catch (IOException e) {
            throw new UncheckedIOException(name + ": " + command.get(0) + " does not start", e);
        }
    }

    /** Waits until the probe succeeds; fails with the end of the log if the process ends first or the time is up. */
    public ServerProcess await(Duration atMost, Readiness readiness) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!readiness.ready()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String reason = process.isAlive() ? "not ready after " + atMost.toSeconds() + " s" : "ended by itself";
                String end = endOfLog();
                close();
                throw new IllegalStateException(name + ": " + reason + "; the end of " + log + ":\n" + end);
            }
            pause(SOON);
        }
        return this;
    }

    /** Waits until the process ends by itself and returns its exit status. */
    public int awaitEnd(Duration atMost) {
        return Unchecked.get(() -> {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        name + ": still running after " + atMost.toSeconds() + " s; see " + log);
            }
            return process.exitValue();
        });
    }

    /** Waits until the process ends by itself; an exit status other than 0 is an error. */
    public void awaitSuccess(Duration atMost) {
        int status = awaitEnd(atMost);
        if (status != 0) {
            throw new IllegalStateException(name + ": exit status " + status + " (expected: 0)\n" + endOfLog());
        }
    }

    /** Sends a signal such as STOP or KILL to this process alone. */
    public void signal(String signal) {
        Unchecked.run(() -> new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor());
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Returns the CPU time that this process and all its descendants have used so far. */
    public Duration cpu() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .flatMap(handle -> handle.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns when the process uses hardly any CPU time, or after three seconds. */
    public void awaitQuiet() {
        Duration last = cpu();
        for (int i = 0; i < MAX_LOOKS; i++) {
            pause(LOOK);
            Duration now = cpu();
            if (now.minus(last).compareTo(QUIET) <= 0) {
                return;
            }
            last = now;
        }
    }

    public String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    private static void pause(Duration length) {
        Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(length.toMillis()));
    }
}
