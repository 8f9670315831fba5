package dev.postern.auth.spend.store;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An answer without a question to the store, and the one place where listeners are called. */
public record Telling(Spend result, boolean busy) implements SpendAttempt {

    public static final Telling SPENT = new Telling(Spend.SPENT, false);
    public static final Telling UNKNOWN = new Telling(Spend.UNKNOWN, false);
    public static final Telling BUSY = new Telling(Spend.UNKNOWN, true);

    private static final Logger LOG = LoggerFactory.getLogger(Telling.class);

    /** A listener that throws must not cost the others of its pass their answers. */
    public static void tell(SpendListener listener, SpendAttempt attempt) {
        try {
            listener.answered(attempt);
        } catch (RuntimeException e) {
            LOG.error("listener of a spend failed", e);
        }
    }
}
