package dev.postern.auth.spend.store;

/** Limit of the spends in flight to one server: each spend enters before it is sent, and leaves when it is settled. */
public interface InFlightLimit {

    /** Maximum number of spends in flight; further spends are refused. */
    int MAX_IN_FLIGHT = 4096;

    /** Enters one spend. Returns false when the limit is reached. */
    boolean enter();

    void leave();

    int inFlight();
}
