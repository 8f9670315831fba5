package dev.postern.auth.spend;

/** Told once what came of an attempt, on the event loop that asked; must not throw. */
@FunctionalInterface
public interface SpendListener {

    void responded(PendingSpend spend);
}
