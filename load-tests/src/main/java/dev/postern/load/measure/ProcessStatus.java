package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Process status from the kernel: memory and threads. */
public final class ProcessStatus {
    private static final Pattern RESIDENT = Pattern.compile("(?m)^Rss:\\s+(\\d+) kB$");

    private ProcessStatus() {}

    /** Returns the resident bytes from {@code smaps_rollup}, which counts the pages; the faster files only estimate. */
    public static long resident(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", String.valueOf(pid), "smaps_rollup")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long parse(String rollup) {
        Matcher matcher = RESIDENT.matcher(rollup);
        if (!matcher.find()) {
            throw new IllegalArgumentException(rollup + " (expected: a line such as 'Rss: 1234 kB')");
        }
        return Long.parseLong(matcher.group(1)) * 1024;
    }

    /** Returns whether the process has mapped a file with this word in its name, such as a library. */
    public static boolean maps(long pid, String word) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(pid), "maps"))
                    .contains(word);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of open descriptors. */
    public static int descriptors(long pid) {
        try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid), "fd"))) {
            return Math.toIntExact(open.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the threads of a process, as the kernel keeps them: 15 characters at most. */
    public static List<String> threads(long pid) {
        List<String> names = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
            for (Path task : tasks.toList()) {
                names.add(Files.readString(task.resolve("comm")).trim());
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
