package dev.postern.core.exchange;

import io.netty.util.concurrent.Ticker;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Timeline of one exchange: assigns each moment to exactly one stage, so that the stages always sum to the whole.
 *
 * <p>Nanoseconds of the ticker of that loop; confined to the event loop of its exchange.
 */
public final class Timeline {

    private static final StageName[] STAGES = StageName.values();
    private static final int PARTIES = StageName.Party.values().length;

    private final long[] spent = new long[STAGES.length];
    private final Ticker ticker;
    private long start;
    private long last;
    private @Nullable StageName marked;

    /** Creates a timeline that starts now, of the ticker of the exchange's loop. */
    public Timeline(Ticker ticker) {
        this.ticker = ticker;
        this.start = ticker.nanoTime();
        this.last = start;
    }

    /** Restarts the timeline now. */
    public void restart() {
        long startNanos = ticker.nanoTime();
        Arrays.fill(spent, 0);
        start = startNanos;
        last = startNanos;
        marked = null;
    }

    /** Assigns the time since the last mark to that stage. */
    public void mark(StageName stage, long nowNanos) {
        spent[stage.ordinal()] += nowNanos - last;
        last = nowNanos;
        marked = stage;
    }

    /** Assigns the time since the last mark to that stage; returns the current time. */
    public long mark(StageName stage) {
        long now = ticker.nanoTime();
        mark(stage, now);
        return now;
    }

    /** Returns whether the last mark was of that stage. */
    public boolean marked(StageName stage) {
        return marked == stage;
    }

    /** Returns the time of the last mark: the end of one stage and the start of the next. */
    public long lastNanos() {
        return last;
    }

    /** Returns the nanoseconds spent in that stage until the last mark. */
    public long nanos(StageName stage) {
        return spent[stage.ordinal()];
    }

    /** Returns the nanoseconds from the start to the last mark: the sum of all stages. */
    public long total() {
        return last - start;
    }

    /** Returns the party that the exchange waited for longest until the last mark. */
    public StageName.Party slowest() {
        long[] waited = new long[PARTIES];
        StageName.Party longest = StageName.Party.GATEWAY;
        for (StageName stage : STAGES) {
            StageName.Party party = stage.party();
            waited[party.ordinal()] += spent[stage.ordinal()];
            if (waited[party.ordinal()] > waited[longest.ordinal()]) {
                longest = party;
            }
        }
        return longest;
    }

    public long startNanos() {
        return start;
    }
}
