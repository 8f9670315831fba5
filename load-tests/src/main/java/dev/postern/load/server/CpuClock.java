package dev.postern.load.server;

import dev.postern.load.measure.Command;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** CPU time of a process to the nanosecond, where a turn is too short for the ticks of {@code /proc}: by a small program in C. */
public record CpuClock(Path program) {
    private static final Path SOURCE = Path.of("load-tests", "src", "main", "c", "cpu-clock.c");

    /** A warning of the compiler is an error. */
    public static CpuClock compile(RunFolder folder) {
        Path program = folder.file("cpu-clock");
        Command.output(List.of(
                "gcc",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-D_GNU_SOURCE",
                "-o",
                program.toString(),
                SOURCE.toString()));
        return new CpuClock(program);
    }

    /** What that process, alone, has used so far: all its threads, those that ended included. */
    public Duration of(long pid) {
        String nanos = Command.output(List.of(program.toString(), String.valueOf(pid)));
        return Duration.ofNanos(Long.parseLong(nanos.trim()));
    }
}
