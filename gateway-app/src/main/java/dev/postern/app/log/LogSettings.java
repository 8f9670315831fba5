package dev.postern.app.log;

import dev.postern.core.rate.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * What goes into the exchange log. Tokens and nonces never do.
 *
 * @param successes share of exchanges without a refusal that are logged, 0..1
 * @param refusals how many of the others are logged, in microseconds; null for all
 * @param address how much of the client's address
 * @param destination whether the authority of forward exchanges is named
 * @param query whether the query string is kept
 */
public record LogSettings(
        double successes, @Nullable Gcra refusals, Address address, boolean destination, boolean query) {

    /** How much of a client's address is written. */
    public enum Address {
        OFF,
        /** The first 24 bits of IPv4, the first 48 of IPv6. */
        TRUNCATED,
        FULL
    }
}
