package dev.postern.ratelimit.store;

import java.time.Instant;
import java.time.InstantSource;

/** This node's clock in microseconds since 1970. */
public final class Micros {

    private Micros() {}

    public static long of(InstantSource clock) {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
