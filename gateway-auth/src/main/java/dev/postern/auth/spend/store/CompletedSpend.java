package dev.postern.auth.spend.store;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Completed spend: a result without a command to the store. All listeners of spends are called by {@link #notify}. */
public record CompletedSpend(SpendResult result, boolean busy) implements PendingSpend {

    public static final CompletedSpend SPENT = new CompletedSpend(SpendResult.SPENT, false);
    public static final CompletedSpend UNKNOWN = new CompletedSpend(SpendResult.UNKNOWN, false);
    public static final CompletedSpend BUSY = new CompletedSpend(SpendResult.UNKNOWN, true);

    private static final Logger LOG = LoggerFactory.getLogger(CompletedSpend.class);

    /** Calls the listener. Logs what the listener throws, so that the other listeners of the same pass are still called. */
    public static void notify(SpendListener listener, PendingSpend spend) {
        try {
            listener.responded(spend);
        } catch (RuntimeException e) {
            LOG.error("listener of a spend failed", e);
        }
    }
}
