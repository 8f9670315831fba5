package dev.postern.core.exchange;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of one exchange went: each instant belongs to exactly one stage, so the stages always sum to the whole.
 *
 * <p>Nanoseconds of {@link System#nanoTime}; confined to the event loop of its exchange.
 */
public final class Timeline {

    private static final StageName[] STAGES = StageName.values();
    private static final int PARTIES = StageName.Party.values().length;

    private final long[] spent = new long[STAGES.length];
    private long start;
    private long last;
    private @Nullable StageName marked;

    public Timeline(long startNanos) {
        start = startNanos;
        last = startNanos;
    }

    /** Starts over at another instant. */
    public void restart(long startNanos) {
        Arrays.fill(spent, 0);
        start = startNanos;
        last = startNanos;
        marked = null;
    }

    /** All time since the last mark was spent in that stage. */
    public void mark(StageName stage, long nowNanos) {
        spent[stage.ordinal()] += nowNanos - last;
        last = nowNanos;
        marked = stage;
    }

    /** The same now; returns now, of {@link System#nanoTime}. */
    public long mark(StageName stage) {
        long now = System.nanoTime();
        mark(stage, now);
        return now;
    }

    /** Whether the last mark was of that stage. */
    public boolean marked(StageName stage) {
        return marked == stage;
    }

    /** When the last stage ended and the one that goes on now began, of {@link System#nanoTime}. */
    public long lastNanos() {
        return last;
    }

    /** Nanoseconds spent in that stage until the last mark. */
    public long nanos(StageName stage) {
        return spent[stage.ordinal()];
    }

    /** Nanoseconds from the start to the last mark: the sum of all stages. */
    public long total() {
        return last - start;
    }

    /** Whom the exchange waited for longest until the last mark. */
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
