package dev.postern.app.profile;

import java.io.IOException;
import java.time.Duration;

/** Profiler of this process; takes one profile at a time. */
public interface Profiler {

    /**
     * Takes a profile and blocks the calling thread for its duration. Recording has stopped when this method returns, normally or with an
     * exception.
     *
     * @throws BusyException if another profile of this process is in progress
     * @throws IOException if no profile can be taken
     */
    Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException;

    /** Signals that another profile of this process is in progress. */
    final class BusyException extends IOException {

        private static final long serialVersionUID = 1;

        public BusyException(String message) {
            super(message);
        }
    }
}
