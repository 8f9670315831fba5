/**
 * The room store in memory: every room belongs to one event loop, so that its state machine needs no locks. Used only by {@link
 * dev.postern.ratelimit.RateLimits}.
 */
@NullMarked
package dev.postern.ratelimit.memory;

import org.jspecify.annotations.NullMarked;
