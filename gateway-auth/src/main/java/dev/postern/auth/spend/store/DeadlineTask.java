package dev.postern.auth.spend.store;

/** A question to a store that a loop waits for until its deadline. On the loop it is told what came ({@link #run}) or that time is over. */
public interface DeadlineTask extends Runnable {

    /** Whether whoever asked was answered already. */
    boolean responded();

    /** Of {@link System#nanoTime}. */
    long deadlineNanos();

    /**
     * When time would be over if the question had been asked at the moment in which it was sent: later than the deadline where this process
     * stood still before.
     */
    default long dueNanos() {
        return deadlineNanos();
    }

    /**
     * On the loop: reads all that has arrived by now, and then calls back on the loop. A response that lay unread while this process stood
     * still comes before that.
     */
    default void look(Runnable continuation) {
        continuation.run();
    }

    /** On the loop: the time is over. */
    void expire();
}
