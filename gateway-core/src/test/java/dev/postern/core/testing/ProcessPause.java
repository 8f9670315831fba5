package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Stops the current process for a while, as hypervisors and garbage collectors do, while its peers continue. */
public final class ProcessPause {

    private ProcessPause() {}

    /** Stops the process shortly after the call, once; the pause has ended when the returned process has ended. */
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
