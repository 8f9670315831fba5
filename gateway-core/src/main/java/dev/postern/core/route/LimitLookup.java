package dev.postern.core.route;

/**
 * The rate limits and rooms of one policy. Core asks nothing of them: it only keeps them together with the routes that name them, so that no
 * exchange sees the routes of one configuration and the limits of another.
 */
public interface LimitLookup {

    /** No limit at all. */
    LimitLookup NONE = new LimitLookup() {};
}
