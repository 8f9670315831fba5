package dev.postern.core.rate;

import io.netty.util.concurrent.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock that goes as a ticker does, for libraries that measure durations with a {@link Clock}: one that is set back must not prolong what
 * they wait for. Its instants are no dates. Thread-safe.
 */
public final class TickerClock extends Clock {

    private final Ticker ticker;

    public TickerClock(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(ticker.nanoTime());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** Returns this clock: its instants have no zone. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
