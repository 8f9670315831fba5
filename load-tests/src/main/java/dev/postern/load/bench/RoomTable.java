package dev.postern.load.bench;

import dev.postern.load.bench.RoomSeries.Kind;
import dev.postern.load.bench.RoomSeries.Turn;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Rows of {@link RoomBench}. All goals are ratios to other turns of the same rounds.
 *
 * @param bytes growth of Redis by the number of waiting sessions
 */
record RoomTable(List<RoomSeries> series, Map<Integer, Long> bytes) {
    /** Decisions per second in the longest line, as a multiple of those in the shortest. */
    private static final Goal LENGTH = Goal.atLeast(0.9);
    /** Calls per second of a room in Redis, as a multiple of those of an empty script. */
    private static final Goal SCRIPT = Goal.atLeast(0.3);
    /** CPU time of Redis for a call of a room, as a multiple of that of an empty script. */
    private static final Goal SCRIPT_CPU = Goal.atMost(3);
    /** Decisions per second for waiting sessions in memory, as a multiple of updates of a bare map. */
    private static final Goal MAP = Goal.atLeast(0.3);

    Table table() {
        Table table = new Table();
        List<RoomSeries> waiting = of(Kind.WAITING);
        waiting.forEach(one -> redis(table, "redis, %,d waiting: ".formatted(one.size()), one));
        for (RoomSeries recorded : of(Kind.RECORDED)) {
            redis(table, "redis, %,d waiting, each request recorded: ".formatted(recorded.size()), recorded);
        }
        of(Kind.ADMITTED).forEach(admitted -> redis(table, "redis, admitted: ", admitted));
        costs(table, "empty script: calls per second", "empty script: ", empty());
        length(table, waiting.get(0), waiting.get(waiting.size() - 1));
        bytes.forEach((line, used) ->
                table.note("redis, %,d waiting: bytes each".formatted(line), Spread.number((double) used / line)));
        Iterator<RoomSeries> maps = of(Kind.MAP).iterator(); // in the order of the lines
        for (RoomSeries memory : of(Kind.MEMORY)) {
            String subject = "memory, %,d waiting: ".formatted(memory.size());
            memory(table, subject, memory);
            RoomSeries map = maps.next();
            table.note("bare map, %,d rows: per second".formatted(map.size()), map.interval(Turn::perSecond))
                    .goal(subject + "per second / bare map (paired)", memory.over(map, Turn::perSecond), MAP);
        }
        of(Kind.MEMORY_ADMITTED).forEach(admitted -> memory(table, "memory, admitted: ", admitted));
        return table;
    }

    /** Returns the series of a kind, the shortest line first. */
    private List<RoomSeries> of(Kind kind) {
        return series.stream().filter(one -> one.kind() == kind).toList();
    }

    private RoomSeries empty() {
        return of(Kind.EMPTY).get(0);
    }

    private void redis(Table table, String subject, RoomSeries series) {
        RoomSeries empty = empty();
        costs(table, subject + "per second", subject, series);
        table.note(
                        subject + "decisions in a call",
                        series.interval(turn -> turn.decisions().perTrip()))
                .goal(
                        subject + "calls per second / empty script (paired)",
                        series.over(empty, Turn::callsPerSecond),
                        SCRIPT)
                .goal(
                        subject + "CPU of a call, Redis / empty script (paired)",
                        series.over(empty, Turn::redisMicrosPerCall),
                        SCRIPT_CPU);
    }

    private static void costs(Table table, String rate, String subject, RoomSeries series) {
        table.note(rate, series.interval(Turn::perSecond))
                .note(subject + "CPU us each, Redis", series.interval(Turn::redisMicros))
                .note(subject + "CPU us each, gateway's side", series.interval(Turn::ownMicros))
                .note(
                        subject + "share of a core that Redis used",
                        series.interval(turn -> turn.redisMicros() * turn.perSecond() / 1e6));
    }

    private static void length(Table table, RoomSeries shortest, RoomSeries longest) {
        if (longest.size() > shortest.size()) {
            table.goal(
                    "redis, per second, %,d / %,d waiting (paired)".formatted(longest.size(), shortest.size()),
                    longest.over(shortest, Turn::perSecond),
                    LENGTH);
        }
    }

    private static void memory(Table table, String subject, RoomSeries series) {
        table.note(subject + "per second", series.interval(Turn::perSecond))
                .note(subject + "CPU us each", series.interval(Turn::ownMicros))
                .note(
                        subject + "heap bytes each",
                        series.interval(turn -> turn.decisions().cost().heapBytes()));
    }
}
