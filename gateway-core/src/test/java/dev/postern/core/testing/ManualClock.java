package dev.postern.core.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Clock that a test advances. */
public final class ManualClock implements InstantSource {

    private volatile Instant now;

    public ManualClock(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration amount) {
        now = now.plus(amount);
    }
}
