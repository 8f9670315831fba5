package dev.postern.app.profile;

import java.io.IOException;
import java.time.Duration;

/** Takes profiles of this process, one at a time. */
public interface Profiler {

    /**
     * Takes one, and holds the calling thread for as long. Whatever becomes of it, nothing is recorded any more when this returns.
     *
     * @throws BusyException when somebody else takes a profile in this process
     * @throws IOException when it can't be taken here
     */
    Profile take(ProfileEvent event, Duration length) throws IOException, InterruptedException;

    /** Somebody else takes a profile in this process now. */
    final class BusyException extends IOException {

        private static final long serialVersionUID = 1;

        public BusyException(String message) {
            super(message);
        }
    }
}
