package dev.postern.load.bench;

import dev.postern.load.bench.RoomSeries.Turn;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.Iterator;
import java.util.Map;

/**
 * Rows of {@link RoomBench}. All goals are ratios to other turns of the same rounds.
 *
 * @param bytes growth of Redis by the number of waiting sessions
 */
record RoomTable(RoomTurns turns, Map<Integer, Long> bytes) {
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
        turns.waiting().forEach((line, series) -> redis(table, "redis, %,d waiting: ".formatted(line), series));
        String recorded = "redis, %,d waiting, each request recorded: "
                .formatted(turns.waiting().firstKey());
        redis(table, recorded, turns.recorded());
        redis(table, "redis, admitted: ", turns.admitted());
        empty(table);
        length(table);
        bytes.forEach((line, used) ->
                table.note("redis, %,d waiting: bytes each".formatted(line), Spread.number((double) used / line)));
        Iterator<RoomSeries> maps = turns.map().values().iterator(); // in the order of the lines
        turns.memory().forEach((line, series) -> {
            String subject = "memory, %,d waiting: ".formatted(line);
            memory(table, subject, series);
            RoomSeries map = maps.next();
            table.note("bare map, %,d rows: per second".formatted(line), map.interval(Turn::perSecond))
                    .goal(subject + "per second / bare map (paired)", series.over(map, Turn::perSecond), MAP);
        });
        memory(table, "memory, admitted: ", turns.memoryAdmitted());
        return table;
    }

    private void redis(Table table, String subject, RoomSeries series) {
        RoomSeries empty = turns.empty();
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

    private void empty(Table table) {
        costs(table, "empty script: calls per second", "empty script: ", turns.empty());
    }

    private static void costs(Table table, String rate, String subject, RoomSeries series) {
        table.note(rate, series.interval(Turn::perSecond))
                .note(subject + "CPU us each, Redis", series.interval(Turn::redisMicros))
                .note(subject + "CPU us each, gateway's side", series.interval(Turn::ownMicros))
                .note(
                        subject + "share of a core that Redis used",
                        series.interval(turn -> turn.redisMicros() * turn.perSecond() / 1e6));
    }

    private void length(Table table) {
        Map.Entry<Integer, RoomSeries> shortest = turns.waiting().firstEntry();
        Map.Entry<Integer, RoomSeries> longest = turns.waiting().lastEntry();
        if (turns.waiting().size() > 1) {
            table.goal(
                    "redis, per second, %,d / %,d waiting (paired)".formatted(longest.getKey(), shortest.getKey()),
                    longest.getValue().over(shortest.getValue(), Turn::perSecond),
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
