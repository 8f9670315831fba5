package dev.postern.auth.spend.store;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Refunds spends of exchanges that were not forwarded, by a command that removes exactly the value of the spend.
 *
 * <p>A server that was frozen may execute a spend late, after its connection was lost. Therefore a missing value is looked for again for
 * about half a minute. Thread-safe; works on the ledger's thread and on those of the connections.
 *
 * @param <A> attempt of the store
 */
public final class Refunds<A extends SpendAttempt> {

    private static final int MAX_WAITING = 10_000;
    private static final long[] PAUSES_MILLIS = {250, 500, 1_000, 2_000, 4_000, 8_000, 16_000};
    private static final long UNAVAILABLE_PAUSE_MILLIS = 100;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final StoreResources resources;
    private final RefundCommand<A> command;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Command that removes the value of an attempt, if the server holds exactly this value. */
    @FunctionalInterface
    public interface RefundCommand<A> {

        /**
         * Sends the command, on the ledger's thread. Returns false when it can't be sent; then there is no outcome.
         *
         * @param outcome takes the outcome once, on any thread
         */
        boolean send(A attempt, Consumer<Outcome> outcome);
    }

    /** Outcome of the command of a refund. */
    public enum Outcome {
        /** The value was removed. */
        REMOVED,
        /** The server has no value for the key. */
        ABSENT,
        /** The value is not removed, and the command must not be sent again. */
        KEPT,
        /** The effect is unknown, and the command may be sent again. */
        NO_REPLY
    }

    public Refunds(StoreResources resources, RefundCommand<A> command) {
        this.resources = resources;
        this.command = command;
    }

    /** Refunds a spend, if the server may have stored it or may still do so. */
    public void add(A attempt) {
        StoreReply reply = attempt.reply();
        if (reply != null && reply != StoreReply.STORED && reply != StoreReply.LOST) {
            return;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            ended(Event.NOT_REFUNDED);
            return;
        }
        Refund<A> refund = new Refund<>(attempt, now());
        resources.scheduler().now(() -> check(refund));
    }

    private void check(Refund<A> refund) {
        if (now() - refund.start > GIVE_UP_NANOS) {
            ended(Event.NOT_REFUNDED);
        } else if (!command.send(refund.attempt, outcome -> looked(refund, outcome))) {
            checkIn(refund, UNAVAILABLE_PAUSE_MILLIS);
        }
    }

    private void looked(Refund<A> refund, Outcome outcome) {
        switch (outcome) {
            case REMOVED -> {
                resources.spent().forget(refund.attempt.redemption().key());
                ended(Event.REFUNDED);
            }
            case ABSENT -> checkForLateValue(refund);
            case KEPT -> ended(Event.NOT_REFUNDED);
            case NO_REPLY -> checkIn(refund, UNAVAILABLE_PAUSE_MILLIS);
        }
    }

    private void checkForLateValue(Refund<A> refund) {
        if (refund.attempt.reply() == StoreReply.STORED || refund.checks >= PAUSES_MILLIS.length) {
            // The server lost the value, or the command never arrived.
            ended(Event.NOT_REFUNDED);
        } else {
            checkIn(refund, PAUSES_MILLIS[refund.checks++]);
        }
    }

    private long now() {
        return resources.scheduler().ticker().nanoTime();
    }

    private void checkIn(Refund<A> refund, long millis) {
        resources.scheduler().later(() -> check(refund), millis);
    }

    private void ended(Event event) {
        waiting.decrementAndGet();
        resources.meters().event(event);
    }

    private static final class Refund<A> {

        private final A attempt;
        private final long start;
        private int checks;

        Refund(A attempt, long start) {
            this.attempt = attempt;
            this.start = start;
        }
    }
}
