package dev.postern.auth.spend.store;

import dev.postern.auth.spend.SpendResult;
import org.jspecify.annotations.Nullable;

/**
 * State of an attempt to spend one token at one server. Immutable, and one object per value, so that a transition allocates nothing.
 *
 * <pre>
 *          settled(STORED)          verified                    responded
 *   Sent ------------------> Stored ----------> Settled ---------------------> Responded
 *    |                         |                 ^   |
 *    |  settled(other reply)   |                 |   |
 *    +---------------------------->--------------+   |
 *    |                         |                     |
 *    |  expired                |  expired            |  expired
 *    +-------------------------+---------------------+-------------> Expired --+ settled, verified:
 *                                                                       ^------+ only the reply changes
 * </pre>
 *
 * The thread of the connection calls {@link #settled} and {@link #verified}; the spend's event loop calls {@link #responded} and {@link
 * #expired}. Only {@link Responded} has another result than UNKNOWN, and only {@code Stored.verified(true)} leads to FRESH. Any other
 * transition throws an {@link IllegalStateException}.
 */
sealed interface SpendState {

    /** Returns the next state for a reply, or for the reason why there is none. After STORED, {@link #verified} follows. */
    default SpendState settled(StoreReply reply) {
        throw new IllegalStateException("settled: " + reply + " in " + this);
    }

    /** @param good whether the server had not lost its memory before it stored, so that STORED means FRESH */
    default SpendState verified(boolean good) {
        throw new IllegalStateException("verified: " + good + " in " + this);
    }

    /** Returns the next state when the listener is called with the reply. */
    default SpendState responded() {
        throw new IllegalStateException("responded in " + this);
    }

    /** Returns the next state when the listener is called because the deadline has passed. */
    default SpendState expired() {
        throw new IllegalStateException("expired in " + this);
    }

    /** Returns the reply of the store, or null as long as there is none. */
    @Nullable
    StoreReply reply();

    default SpendResult result() {
        return SpendResult.UNKNOWN;
    }

    /** Returns whether the listener was called. */
    default boolean ended() {
        return false;
    }

    /** Waits for the reply. */
    record Sent() implements SpendState {

        static final Sent SENT = new Sent();

        @Override
        public SpendState settled(StoreReply reply) {
            return switch (reply) {
                case STORED -> Stored.STORED;
                case NOT_STORED -> Settled.SPENT;
                case REFUSED -> Settled.REFUSED;
                case UNSENT -> Settled.UNSENT;
                case LOST -> Settled.LOST;
            };
        }

        @Override
        public SpendState expired() {
            return Expired.WITHOUT_REPLY;
        }

        @Override
        public @Nullable StoreReply reply() {
            return null;
        }
    }

    /** The server stored the key; waits for the check that it had not lost its memory before. */
    record Stored() implements SpendState {

        static final Stored STORED = new Stored();

        @Override
        public SpendState verified(boolean good) {
            return good ? Settled.FRESH : Settled.NOT_VERIFIED;
        }

        @Override
        public SpendState expired() {
            return Expired.after(StoreReply.STORED);
        }

        @Override
        public StoreReply reply() {
            return StoreReply.STORED;
        }
    }

    /** The result is known; waits for the event loop to call the listener. */
    record Settled(Responded next) implements SpendState {

        static final Settled FRESH = of(StoreReply.STORED, SpendResult.FRESH);
        static final Settled NOT_VERIFIED = of(StoreReply.STORED, SpendResult.UNKNOWN);
        static final Settled SPENT = of(StoreReply.NOT_STORED, SpendResult.SPENT);
        static final Settled REFUSED = of(StoreReply.REFUSED, SpendResult.UNKNOWN);
        static final Settled UNSENT = of(StoreReply.UNSENT, SpendResult.UNKNOWN);
        static final Settled LOST = of(StoreReply.LOST, SpendResult.UNKNOWN);

        private static Settled of(StoreReply reply, SpendResult result) {
            return new Settled(new Responded(reply, result));
        }

        @Override
        public SpendState responded() {
            return next;
        }

        @Override
        public SpendState expired() {
            return Expired.after(next.reply);
        }

        @Override
        public StoreReply reply() {
            return next.reply;
        }
    }

    /** The listener was called with the result of the reply. Final. */
    record Responded(StoreReply reply, SpendResult result) implements SpendState {

        @Override
        public boolean ended() {
            return true;
        }
    }

    /** The listener was called with UNKNOWN, since the deadline had passed. A later reply matters for a refund only. */
    record Expired(@Nullable StoreReply reply) implements SpendState {

        static final Expired WITHOUT_REPLY = new Expired(null);

        private static final Expired[] BY_REPLY = new Expired[StoreReply.values().length];

        static {
            for (StoreReply reply : StoreReply.values()) {
                BY_REPLY[reply.ordinal()] = new Expired(reply);
            }
        }

        static Expired after(StoreReply reply) {
            return BY_REPLY[reply.ordinal()];
        }

        @Override
        public SpendState settled(StoreReply later) {
            return after(later);
        }

        @Override
        public SpendState verified(boolean good) {
            return this;
        }

        @Override
        public boolean ended() {
            return true;
        }
    }
}
