package dev.postern.core.rate;

import io.netty.util.concurrent.Ticker;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock that goes as a ticker does, for libraries that measure durations with a {@link Clock}: one that is set back must not prolong what
 * they wait for. Its instants are no dates, unless a start is given: then they are those that the wall clock would show if no program had set
 * it since. Thread-safe.
 */
public final class TickerClock extends Clock {

    private final Ticker ticker;
    private final Instant origin;

    public TickerClock(Ticker ticker) {
        this.ticker = ticker;
        this.origin = Instant.EPOCH;
    }

    /** @param now current time of the wall clock */
    public TickerClock(Ticker ticker, Instant now) {
        this.ticker = ticker;
        this.origin = now.minusNanos(ticker.nanoTime());
    }

    @Override
    public Instant instant() {
        return origin.plusNanos(ticker.nanoTime());
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
