package dev.postern.app.profile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Access to the symbols of the kernel. Without symbols, graphs contain no kernel frames. */
final class KernelFrames {

    static final String PERMIT =
            "To see the kernel's frames: sysctl kernel.perf_event_paranoid=1 kernel.kptr_restrict=0 on the host; in a"
                    + " container the capability PERFMON too, or a custom seccomp profile that permits perf_event_open.";

    private final Path symbols;

    /** @param symbols usually {@code /proc/kallsyms} */
    KernelFrames(Path symbols) {
        this.symbols = symbols;
    }

    /** Returns whether the symbols have addresses. If the kernel hides them, all addresses are zero. */
    boolean named() {
        try (BufferedReader lines = Files.newBufferedReader(symbols, ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("0000000000000000")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
