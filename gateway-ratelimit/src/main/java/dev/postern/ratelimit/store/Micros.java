package dev.postern.ratelimit.store;

import java.time.Instant;
import java.time.InstantSource;

/** Microseconds since 1970, of this node's clock. */
public final class Micros {

    private Micros() {}

    public static long of(InstantSource clock) {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
