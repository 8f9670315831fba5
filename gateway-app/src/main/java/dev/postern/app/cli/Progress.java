package dev.postern.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Progress of a long task: one line that is overwritten on a terminal, a line every ten seconds elsewhere. For one thread at a time. */
final class Progress {

    private static final long QUICK = Duration.ofMillis(200).toNanos();
    private static final long SLOW = Duration.ofSeconds(10).toNanos();

    private final PrintWriter out;
    private final String subject;
    private final int total;
    private final boolean terminal = terminal();
    private final long start = System.nanoTime();
    private long next = start + (terminal ? QUICK : SLOW);
    private int done;

    Progress(PrintWriter out, String subject, int total) {
        this.out = out;
        this.subject = subject;
        this.total = total;
    }

    void step() {
        done++;
        long now = System.nanoTime();
        if (now >= next) {
            next = now + (terminal ? QUICK : SLOW);
            out.print((terminal ? "\r" : "") + line(now) + (terminal ? " " : System.lineSeparator()));
            out.flush();
        }
    }

    /** @param more printed after the numbers */
    void done(String more) {
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(Locale.ROOT, "%s%d %s in %.1f s; %s%n", terminal ? "\r" : "", done, subject, seconds, more);
        out.flush();
    }

    private String line(long now) {
        double rate = done / ((now - start) / 1e9);
        long remaining = Math.round((total - done) / rate);
        return String.format(Locale.ROOT, "%d/%d %s, %.0f/s, %d s left", done, total, subject, rate, remaining);
    }

    private static boolean terminal() {
        try {
            String standardError =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return standardError.startsWith("/dev/pts/") || standardError.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // unknown: separate lines are readable everywhere
        }
    }
}
