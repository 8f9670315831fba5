package dev.postern.core.route;

/**
 * Lookup of the rate limits and rooms of one policy. Core defines no methods: it only keeps the limits together with the routes that name
 * them, so that no exchange sees the routes of one configuration and the limits of another.
 */
public interface LimitLookup {

    /** Lookup without limits. */
    LimitLookup NONE = new LimitLookup() {};
}
