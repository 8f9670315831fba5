/**
 * The stage <i>admit</i>: selects the limit and the room of an exchange, and applies the decision. Used by {@link
 * dev.postern.ratelimit.RateLimits}; gateway-app holds {@link dev.postern.ratelimit.handler.RateLimiters} of a configuration.
 */
@NullMarked
package dev.postern.ratelimit.handler;

import org.jspecify.annotations.NullMarked;
