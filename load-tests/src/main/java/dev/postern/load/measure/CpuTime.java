package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * CPU time of a process from {@code /proc/PID/stat}, user and kernel, for all its threads including those that ended.
 *
 * <p>The kernel shows ticks of 10 ms, taken from the scheduler's exact time: an error of a percent in a second.
 */
public final class CpuTime {
    private static final long MILLIS_PER_TICK = 10;
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;

    private CpuTime() {}

    public static Duration of(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", String.valueOf(pid), "stat")));
        } catch (NoSuchFileException e) {
            return Duration.ZERO;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Counts the fields after the command's name, which may itself contain blanks and brackets. */
    static Duration parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]);
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }
}
