package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Stops this very process for a while, as hypervisors and collectors do: nothing in it runs, and its peers go on. */
public final class Standstill {

    private Standstill() {}

    /** The process stands still a moment later, once; it is over when what is returned has ended. */
    public static Process begin(Duration length) {
        long pid = ProcessHandle.current().pid();
        String script = "kill -STOP " + pid + "; sleep " + length.toMillis() / 1e3 + "; kill -CONT " + pid;
        try {
            return new ProcessBuilder("sh", "-c", script).inheritIO().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
