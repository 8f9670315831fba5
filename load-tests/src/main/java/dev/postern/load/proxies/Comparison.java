package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.peer.Peer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gateway beside one peer, in one figure.
 *
 * @param goal null where the ratio is only told
 */
record Comparison(Kind kind, String peer, @Nullable Goal goal) {
    /** Which figure, and how the two are put together within a round. */
    enum Kind {
        CPU("CPU per request, postern / %s", Turn::cpuMicros, (own, other) -> own / other),
        LATENCY("p50, postern / %s", Turn::typical, (own, other) -> own / other),
        ADDED_LATENCY("p50 us, postern - %s", Turn::typical, (own, other) -> own - other);

        private final String figure;
        private final ToDoubleFunction<Turn> value;
        private final DoubleBinaryOperator together;

        Kind(String figure, ToDoubleFunction<Turn> value, DoubleBinaryOperator together) {
            this.figure = figure;
            this.value = value;
            this.together = together;
        }
    }

    String figure() {
        return kind.figure.formatted(peer) + " (paired)";
    }

    /** Short, for the plot. */
    String label() {
        return (kind == Kind.CPU ? "CPU / " : "p50 / ") + peer;
    }

    boolean isLatency() {
        return kind != Kind.CPU;
    }

    Interval of(Rounds rounds) {
        return rounds.paired(Peer.POSTERN, peer, kind.value, kind.together);
    }

    /** Whether the plot can show it: a difference has no place among ratios. */
    boolean isRatio() {
        return kind != Kind.ADDED_LATENCY;
    }
}
