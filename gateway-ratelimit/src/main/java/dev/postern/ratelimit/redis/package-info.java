/**
 * The room store in Redis: one atomic call per room and pass of an event loop, by Redis' clock, and the behaviour while Redis is
 * unavailable. Used only by {@link dev.postern.ratelimit.RateLimits}.
 */
@NullMarked
package dev.postern.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
