package dev.postern.auth.spend.remote;

/** A question to a store that a loop waits for until its deadline. On the loop it is told what came ({@link #run}) or that time is over. */
public interface Awaited extends Runnable {

    /** Whether whoever asked was answered already. */
    boolean answered();

    /** Of {@link System#nanoTime}. */
    long deadlineNanos();

    /** On the loop: the time is over. */
    void expire();
}
