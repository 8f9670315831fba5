package dev.postern.load.crowd;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Clock in microseconds since 1970, shared by all processes of a machine. */
public final class Clock {
    private Clock() {}

    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
