package dev.postern.auth.spend.store;

/** Listener that is called each time a server's epoch marker was verified. */
@FunctionalInterface
public interface Verified {

    /**
     * Takes the result of the check.
     *
     * @param wasAway whether no marker was verified on this connection immediately before
     * @param nanos time from the command to the response
     */
    void verified(boolean wasAway, long nanos);
}
