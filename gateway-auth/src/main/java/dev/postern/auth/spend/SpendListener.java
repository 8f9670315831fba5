package dev.postern.auth.spend;

/** Listener that is called once with the result of a spend, on the caller's event loop. Must not throw. */
@FunctionalInterface
public interface SpendListener {

    void responded(PendingSpend spend);
}
