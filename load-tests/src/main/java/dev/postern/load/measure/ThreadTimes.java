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
 * CPU time of a JVM by what its threads do, from {@code /proc/PID/task/TID/schedstat}: to the nanosecond for threads that wait, where a turn is too short
 * for the ticks of {@code /proc/PID/stat}. Of threads that have ended nothing is known.
 *
 * @param work of all threads but those of the compilers
 * @param compilers of the JIT's threads
 */
public record ThreadTimes(Duration work, Duration compilers) {
    /** As the kernel knows them, which keeps fifteen letters of a name. */
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

    /** Name and times; nothing of a thread that has just ended. */
    private static List<String> read(Path task) throws IOException {
        try {
            return List.of(Files.readString(task.resolve("comm")).strip(), Files.readString(task.resolve("schedstat")));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Nanoseconds on a core, nanoseconds of waiting for one, and how often. */
    static Duration parse(String schedstat) {
        return Duration.ofNanos(Long.parseLong(schedstat.strip().split(" ")[0]));
    }

    public ThreadTimes minus(ThreadTimes earlier) {
        return new ThreadTimes(work.minus(earlier.work), compilers.minus(earlier.compilers));
    }

    /** How much of all was no compiler's, 0..1; 1 of nothing. */
    public double workShare() {
        double all = work.plus(compilers).toNanos();
        return all == 0 ? 1 : work.toNanos() / all;
    }
}
