package dev.postern.app.log;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Output of the exchange log. Called by the thread of the log only, which it may block. */
@FunctionalInterface
public interface LineOutput extends Closeable {

    /** Writes lines without line ends. Throws when they can't be written; a later call tries again with later lines. */
    void write(List<String> lines) throws IOException;

    @Override
    default void close() throws IOException {
        // Nothing is open.
    }

    /** Opener of the configured output; does not block. */
    @FunctionalInterface
    interface Opener {

        LineOutput open(LogSettings.Exchanges settings);
    }
}
