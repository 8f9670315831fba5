package dev.postern.load.experiment.keepalive;

import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Stacks of a flame graph.
 *
 * @param samples all
 * @param opening samples in a call that opens or closes a socket, by the names of system calls
 */
record FlameStacks(long samples, long opening) {
    /** Names of the C library, of the kernel, and of the natives of Netty. */
    private static final Pattern CALL =
            Pattern.compile("_*(GI_+|libc_|x64_|arm64_|sys_)*(connect|close|socket)(_\\[[a-z]+])?");

    /** Parses collapsed stacks: a line each, frames with semicolons between them, and the number of samples. */
    static FlameStacks of(String collapsed) {
        long samples = 0;
        long opening = 0;
        for (String line : collapsed.lines().toList()) {
            int blank = line.lastIndexOf(' ');
            long count = Long.parseLong(line.substring(blank + 1));
            samples += count;
            if (Arrays.stream(line.substring(0, blank).split(";")).anyMatch(FlameStacks::opens)) {
                opening += count;
            }
        }
        return new FlameStacks(samples, opening);
    }

    private static boolean opens(String frame) {
        return CALL.matcher(frame).matches();
    }

    /** Returns the samples that open or close a socket, in percent of all; NaN if there is no sample. */
    double percent() {
        return 100.0 * opening / samples;
    }
}
