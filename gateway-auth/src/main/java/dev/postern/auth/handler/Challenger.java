package dev.postern.auth.handler;

import dev.postern.core.exchange.Exchange;

/** Refuses an exchange with the challenges of its route: 401 on a reverse listener, 407 on a forward one. */
@FunctionalInterface
public interface Challenger {

    /**
     * @param reason for log and metrics, never for the client: {@code missing}, {@code invalid}, {@code unknown-key},
     *     {@code wrong-challenge}, {@code spent}, {@code grease}
     */
    void challenge(Exchange exchange, String reason);

    /** Adds the challenges to a local reply, such as one that tells the client to wait; by default does nothing. */
    default void invite(Exchange exchange) {}
}
