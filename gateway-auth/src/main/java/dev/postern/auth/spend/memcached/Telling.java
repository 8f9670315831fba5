package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An answer without a question to the store, and the one place where listeners are called. */
record Telling(Spend result, boolean busy) implements SpendAttempt {

    static final Telling SPENT = new Telling(Spend.SPENT, false);
    static final Telling UNKNOWN = new Telling(Spend.UNKNOWN, false);
    static final Telling BUSY = new Telling(Spend.UNKNOWN, true);

    private static final Logger LOG = LoggerFactory.getLogger(Telling.class);

    /** A listener that throws must not cost the others of its pass their answers. */
    static void tell(SpendListener listener, SpendAttempt attempt) {
        try {
            listener.answered(attempt);
        } catch (RuntimeException e) {
            LOG.error("listener of a spend failed", e);
        }
    }
}
