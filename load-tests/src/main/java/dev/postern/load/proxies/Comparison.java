package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.peer.Peer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the gateway with one peer, in one figure.
 *
 * @param goal null if the ratio has no goal
 */
record Comparison(Kind kind, String peer, @Nullable Goal goal) {
    /** Figure of the comparison, and how the two values of a round are combined. */
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

    boolean isLatency() {
        return kind != Kind.CPU;
    }

    Interval of(Rounds rounds) {
        return rounds.paired(Peer.POSTERN, peer, kind.value, kind.together);
    }
}
