/**
 * Rate limits, fair queues and the waiting room. Other modules use {@link dev.postern.ratelimit.RateLimits} and its settings.
 */
@NullMarked
package dev.postern.ratelimit;

import org.jspecify.annotations.NullMarked;
