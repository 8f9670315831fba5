package dev.postern.core.route;

import java.time.Duration;

/**
 * How fast a request's body has to come, while the gateway lets its client send.
 *
 * @param bytesPerSecond at least; 0 for any pace
 * @param over the time over which it is averaged, again and again
 */
public record MinBodyRate(long bytesPerSecond, Duration over) {

    public static final MinBodyRate NONE = of(0);

    /** Averaged over 30 seconds. */
    public static MinBodyRate of(long bytesPerSecond) {
        return new MinBodyRate(bytesPerSecond, Duration.ofSeconds(30));
    }
}
