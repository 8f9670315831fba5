package dev.postern.core.exchange;

import java.util.Arrays;

/**
 * Where the time of one exchange went: each instant belongs to exactly one stage, so the stages always sum to the whole.
 *
 * <p>Nanoseconds of {@link System#nanoTime}; confined to the event loop of its exchange.
 */
public final class Timeline {

    private static final int STAGES = Stage.values().length;

    private final long[] spent = new long[STAGES];
    private long start;
    private long last;

    public Timeline(long startNanos) {
        start = startNanos;
        last = startNanos;
    }

    /** Starts over at another instant. */
    public void restart(long startNanos) {
        Arrays.fill(spent, 0);
        start = startNanos;
        last = startNanos;
    }

    /** All time since the last mark was spent in that stage. */
    public void mark(Stage stage, long nowNanos) {
        spent[stage.ordinal()] += nowNanos - last;
        last = nowNanos;
    }

    /** The same now; returns now, of {@link System#nanoTime}. */
    public long mark(Stage stage) {
        long now = System.nanoTime();
        mark(stage, now);
        return now;
    }

    /** Nanoseconds spent in that stage until the last mark. */
    public long nanos(Stage stage) {
        return spent[stage.ordinal()];
    }

    /** Nanoseconds from the start to the last mark: the sum of all stages. */
    public long total() {
        return last - start;
    }

    /** Whom the exchange waited for longest until the last mark. */
    public Stage.Party slowest() {
        long[] waited = new long[Stage.Party.values().length];
        Stage.Party longest = Stage.Party.GATEWAY;
        for (Stage stage : Stage.values()) {
            Stage.Party party = stage.party();
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
