package dev.postern.load.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Thread times of a JVM: CPU time of all threads except those of the JIT compilers, from {@code /proc/PID/task/TID/schedstat}. The values are exact to
 * the nanosecond for threads that wait, where a turn is too short for the ticks of {@code /proc/PID/stat}. Threads that
 * have ended are not included.
 *
 * @param byThread by the path of the thread's folder
 */
public record ThreadTimes(Map<String, Duration> byThread) {
    /** Matches the names as the kernel keeps them, cut to fifteen characters. */
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler.*");

    public static ThreadTimes of(long pid) {
        return Unchecked.get(() -> {
            try (Stream<Path> tasks = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
                Map<String, Duration> times = new HashMap<>();
                for (Path task : (Iterable<Path>) tasks::iterator) {
                    List<String> read = read(task);
                    if (!read.isEmpty() && !COMPILER.matcher(read.get(0)).matches()) {
                        times.put(task.toString(), parse(read.get(1)));
                    }
                }
                return new ThreadTimes(times);
            }
        });
    }

    /** Returns name and times; an empty list for a thread that has just ended. */
    private static List<String> read(Path task) throws IOException {
        try {
            return List.of(Files.readString(task.resolve("comm")).strip(), Files.readString(task.resolve("schedstat")));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /**
     * Parses nanoseconds on a core, which are followed by nanoseconds of waiting for a core and by the number of time
     * slices.
     */
    static Duration parse(String schedstat) {
        return Duration.ofNanos(Long.parseLong(schedstat.strip().split(" ")[0]));
    }

    /** Returns the times since then; thread by thread, since what ended threads had used would be negative in a sum. */
    public ThreadTimes minus(ThreadTimes earlier) {
        Map<String, Duration> added = new HashMap<>();
        byThread.forEach((id, time) -> added.put(id, time.minus(earlier.byThread.getOrDefault(id, Duration.ZERO))));
        return new ThreadTimes(added);
    }

    /** Returns the time of all threads. */
    public Duration work() {
        return byThread.values().stream().reduce(Duration.ZERO, Duration::plus);
    }
}
