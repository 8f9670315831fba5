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

    /** Lets a response of our own say which token would have helped, such as one that tells a client to wait; by default nothing does. */
    default void invite(Exchange exchange) {}
}
