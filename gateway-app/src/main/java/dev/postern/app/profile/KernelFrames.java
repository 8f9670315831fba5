package dev.postern.app.profile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Access to the symbols of the kernel. Without symbols, graphs contain no kernel frames.
 *
 * @param symbols usually {@code /proc/kallsyms}
 */
record KernelFrames(Path symbols) {

    static final String PERMIT =
            "To see the kernel's frames: sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0 on the host; in a"
                    + " container the capability PERFMON too, or a custom seccomp profile that permits perf_event_open.";

    /** Returns whether the symbols have addresses. If the kernel hides them, all addresses are zero. */
    boolean named() {
        try (Stream<String> lines = Files.lines(symbols, ISO_8859_1)) {
            return lines.anyMatch(line -> !line.startsWith("0000000000000000"));
        } catch (IOException e) {
            return false;
        }
    }
}
