/**
 * When they may pass: rate limits, fair queues and the waiting room. {@link dev.postern.ratelimit.RateLimits} is the one entrance.
 */
@NullMarked
package dev.postern.ratelimit;

import org.jspecify.annotations.NullMarked;
