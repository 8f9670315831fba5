package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Process status from the kernel: memory and threads. */
public final class ProcessStatus {
    private static final Pattern RESIDENT = Pattern.compile("(?m)^Rss:\\s+(\\d+) kB$");

    private ProcessStatus() {}

    /** Returns the resident bytes from {@code smaps_rollup}, which counts the pages; the faster files only estimate. */
    public static long resident(long pid) {
        return Unchecked.get(() -> parse(Files.readString(Path.of("/proc", String.valueOf(pid), "smaps_rollup"))));
    }

    static long parse(String rollup) {
        return Long.parseLong(Command.found(RESIDENT, rollup).group(1)) * 1024;
    }

    /** Returns whether the process has mapped a file with this word in its name, such as a library. */
    public static boolean maps(long pid, String word) {
        return Unchecked.get(() ->
                Files.readString(Path.of("/proc", String.valueOf(pid), "maps")).contains(word));
    }

    /** Returns the number of open descriptors. */
    public static int descriptors(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return Math.toIntExact(open.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Counts the threads without those of the JIT compilers, whose number follows the amount of code to compile. */
    public static int workThreads(long pid) {
        return ThreadTimes.of(pid).byThread().size();
    }
}
