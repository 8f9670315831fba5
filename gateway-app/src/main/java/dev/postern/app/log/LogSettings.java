package dev.postern.app.log;

/**
 * What goes into the exchange log. Tokens and nonces never do.
 *
 * @param successes share of exchanges without a refusal that are logged, 0..1; refusals always are
 * @param address how much of the client's address
 * @param destination whether the authority of forward exchanges is named
 * @param query whether the query string is kept
 */
public record LogSettings(double successes, Address address, boolean destination, boolean query) {

    /** How much of a client's address is written. */
    public enum Address {
        OFF,
        /** The first 24 bits of IPv4, the first 48 of IPv6. */
        TRUNCATED,
        FULL
    }
}
