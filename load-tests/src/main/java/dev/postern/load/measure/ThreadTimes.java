package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Thread times of a JVM: CPU time by kind of thread, from {@code /proc/PID/task/TID/schedstat}. The values are exact to
 * the nanosecond for threads that wait, where a turn is too short for the ticks of {@code /proc/PID/stat}. Threads that
 * have ended are not included.
 *
 * @param work of all threads except the compiler threads
 * @param compilers of the threads of the JIT compilers
 */
public record ThreadTimes(Duration work, Duration compilers) {
    /** Matches the names as the kernel keeps them, cut to fifteen characters. */
    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler.*");

    public static ThreadTimes of(long pid) {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            Duration work = Duration.ZERO;
            Duration compilers = Duration.ZERO;
            for (Path task : (Iterable<Path>) tasks::iterator) {
                List<String> read = read(task);
                if (!read.isEmpty() && COMPILER.matcher(read.get(0)).matches()) {
                    compilers = compilers.plus(parse(read.get(1)));
                } else if (!read.isEmpty()) {
                    work = work.plus(parse(read.get(1)));
                }
            }
            return new ThreadTimes(work, compilers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    public ThreadTimes minus(ThreadTimes earlier) {
        return new ThreadTimes(work.minus(earlier.work), compilers.minus(earlier.compilers));
    }

    /** Returns the share of the time that compilers did not use, 0..1; 1 if no time was used. */
    public double workShare() {
        double all = work.plus(compilers).toNanos();
        return all == 0 ? 1 : work.toNanos() / all;
    }
}
