package dev.postern.load.bench;

import dev.postern.load.measure.Interval;
import dev.postern.load.server.Redis;
import dev.postern.load.worker.Decisions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Series of one question to one worker, asked once in each round of {@link RoomBench}.
 *
 * @param name for the progress output
 * @param before questions that precede it and are not measured
 * @param turns the results, round by round
 */
record RoomSeries(String name, UnaryOperator<String> worker, List<String> before, String question, List<Turn> turns) {
    /** @param redisMicros CPU time of Redis for each decision */
    record Turn(Decisions decisions, double redisMicros) {
        double perSecond() {
            return decisions.cost().perSecond();
        }

        double ownMicros() {
            return decisions.cost().cpuMicros();
        }

        double callsPerSecond() {
            return perSecond() / decisions.perTrip();
        }

        double redisMicrosPerCall() {
            return redisMicros * decisions.perTrip();
        }
    }

    RoomSeries(String name, UnaryOperator<String> worker, String question) {
        this(name, worker, List.of(), question, new ArrayList<>());
    }

    Turn ask(Redis redis) {
        before.forEach(earlier -> Decisions.parse(worker.apply(earlier)));
        Duration cpuBefore = redis.process().cpu();
        Decisions decisions = Decisions.parse(worker.apply(question));
        Duration used = redis.process().cpu().minus(cpuBefore);
        return new Turn(decisions, used.toNanos() / 1e3 / decisions.count());
    }

    Interval interval(ToDoubleFunction<Turn> figure) {
        return Interval.of(turns, figure);
    }

    /** Returns a figure as a multiple of the other series' value in the same round. */
    Interval over(RoomSeries other, ToDoubleFunction<Turn> figure) {
        double[] ratios = new double[turns.size()];
        Arrays.setAll(ratios, i -> figure.applyAsDouble(turns.get(i)) / figure.applyAsDouble(other.turns.get(i)));
        return Interval.of(ratios);
    }
}
