package dev.postern.auth.spend.store;

/** Told each time when a server showed its mark. */
@FunctionalInterface
public interface Verified {

    /**
     * Takes what the check found.
     *
     * @param wasAway whether the server had shown no mark on that connection before
     * @param nanos from the question until the response
     */
    void verified(boolean wasAway, long nanos);
}
