package dev.postern.load.bench;

import dev.postern.load.measure.Interval;
import dev.postern.load.server.Redis;
import dev.postern.load.worker.Decisions;
import dev.postern.load.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Series of one question to one worker, asked once in each round of {@link RoomBench}.
 *
 * @param size sessions or rows of the room; 0: none
 * @param before questions that precede it and are not measured
 * @param turns the results, round by round
 */
record RoomSeries(Kind kind, int size, Questions worker, List<String> before, String question, List<Turn> turns) {
    /** What is measured. */
    enum Kind {
        WAITING("redis, waiting"),
        /** As many waiting sessions as in the shortest line, each of whose requests is recorded. */
        RECORDED("redis, recorded"),
        ADMITTED("redis, admitted"),
        EMPTY("empty script"),
        MEMORY("memory, waiting"),
        MAP("bare map, rows"),
        MEMORY_ADMITTED("memory, admitted");

        private final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** Takes the questions of a series. */
    interface Questions {
        Decisions ask(String question);
    }

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

    RoomSeries(Kind kind, int size, Worker worker, String question) {
        this(kind, size, asked -> worker.ask(asked, Decisions.class), List.of(), question, new ArrayList<>());
    }

    /** Returns the name for the progress output. */
    String name() {
        return kind.title + " " + size;
    }

    Turn ask(Redis redis) {
        before.forEach(worker::ask);
        Duration cpuBefore = redis.process().cpu();
        Decisions decisions = worker.ask(question);
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
