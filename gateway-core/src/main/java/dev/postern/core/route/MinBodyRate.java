package dev.postern.core.route;

import java.time.Duration;

/**
 * Minimum rate of a request's body, while the gateway reads from the client.
 *
 * @param bytesPerSecond minimum; 0 for no minimum
 * @param over the period over which the rate is averaged, repeatedly
 */
public record MinBodyRate(long bytesPerSecond, Duration over) {

    public static final MinBodyRate NONE = of(0);

    /** Returns a rate averaged over a minute, so that a pause that {@code limits.body-idle-timeout} permits by default is not too slow. */
    public static MinBodyRate of(long bytesPerSecond) {
        return new MinBodyRate(bytesPerSecond, Duration.ofSeconds(60));
    }
}
