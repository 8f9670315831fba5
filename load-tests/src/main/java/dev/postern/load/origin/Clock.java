package dev.postern.load.origin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Microseconds since 1970: the clock that all processes of a machine share. */
public final class Clock {
    private Clock() {}

    public static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
