package dev.postern.core.route;

/**
 * Rules for tokens of one policy. Core defines no methods: it only keeps the rules together with the routes, so that no exchange sees the
 * routes of one configuration and the rules of another.
 */
public interface TokenRules {

    /** No rules: those in force apply. */
    TokenRules NONE = new TokenRules() {};
}
