package dev.postern.app.log;

import dev.postern.core.rate.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the exchange log. Tokens and nonces are never logged.
 *
 * @param successes share of exchanges without a refusal that are logged, 0..1
 * @param refusals rate of logged refusals, in microseconds; null for all
 * @param address logged part of the client's address
 * @param destination whether the authority of forward exchanges is logged
 * @param query whether the query string is logged
 */
public record LogSettings(
        double successes, @Nullable Gcra refusals, Address address, boolean destination, boolean query) {

    /** Logged part of a client's address. */
    public enum Address {
        OFF,
        /** Logs the first 24 bits of IPv4 addresses and the first 48 bits of IPv6 addresses. */
        TRUNCATED,
        FULL
    }
}
