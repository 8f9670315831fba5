package dev.postern.auth.spend.store;

/** Task that waits for a store's reply until a deadline. Its event loop calls {@link #run} with the reply, or {@link #expire}. */
public interface DeadlineTask extends Runnable {

    /** Returns whether the listener was called already. */
    boolean responded();

    /** Returns the deadline, of the ticker of the loop. */
    long deadlineNanos();

    /**
     * Returns the deadline counted from the time at which the command was written: later than {@link #deadlineNanos} if this process
     * paused before it wrote the command.
     */
    default long dueNanos() {
        return deadlineNanos();
    }

    /**
     * Reads all responses that have arrived by now, then runs the continuation on the loop. So a response that stayed unread while this
     * process paused is handled before the continuation. On the loop.
     */
    default void readReplies(Runnable continuation) {
        continuation.run();
    }

    /** Ends the wait because the deadline has passed. On the loop. */
    void expire();
}
