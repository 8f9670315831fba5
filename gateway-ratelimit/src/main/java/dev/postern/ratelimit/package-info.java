/**
 * Rate limits, fair queues and the waiting room. gateway-app uses {@link dev.postern.ratelimit.RateLimits}, the settings in {@code store}
 * and the overrides in {@code queue}.
 */
@NullMarked
package dev.postern.ratelimit;

import org.jspecify.annotations.NullMarked;
