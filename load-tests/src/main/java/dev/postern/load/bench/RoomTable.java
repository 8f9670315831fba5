package dev.postern.load.bench;

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
record RoomTable(RoomTurns turns, Map<Integer, Long> bytes, RoomGoals goals) {

    Table table() {
        Table table = new Table();
        turns.waiting()
                .forEach((line, series) ->
                        redis(table, "redis, %,d waiting: ".formatted(line), series, turns.ancestor()));
        String recorded = "redis, %,d waiting, each request recorded: "
                .formatted(turns.waiting().firstKey());
        redis(table, recorded, turns.recorded(), turns.ancestor());
        redis(table, "redis, admitted: ", turns.admitted(), turns.ancestorAdmitted());
        empty(table);
        ancestor(table, "waiting", turns.ancestor());
        ancestor(table, "admitted", turns.ancestorAdmitted());
        length(table);
        bytes.forEach((line, used) ->
                table.note("redis, %,d waiting: bytes each".formatted(line), Spread.number((double) used / line)));
        Iterator<RoomSeries> maps = turns.map().values().iterator(); // in the order of the lines
        turns.memory().forEach((line, series) -> {
            String subject = "memory, %,d waiting: ".formatted(line);
            memory(table, subject, series);
            RoomSeries map = maps.next();
            table.note("bare map, %,d rows: per second".formatted(line), map.interval(Turn::perSecond))
                    .goal(
                            subject + "per second / bare map (paired)",
                            series.over(List.of(map), Turn::perSecond),
                            Goal.atLeast(goals.map));
        });
        memory(table, "memory, admitted: ", turns.memoryAdmitted());
        return table;
    }

    private void redis(Table table, String subject, RoomSeries series, Map<Integer, RoomSeries> ancestor) {
        List<RoomSeries> empty = List.of(turns.empty());
        costs(table, subject + "per second", subject, series);
        table.note(
                        subject + "decisions in a call",
                        series.interval(turn -> turn.decisions().perTrip()))
                .goal(
                        subject + "calls per second / empty script (paired)",
                        series.over(empty, Turn::callsPerSecond),
                        Goal.atLeast(goals.script))
                .goal(
                        subject + "CPU of a call, Redis / empty script (paired)",
                        series.over(empty, Turn::redisMicrosPerCall),
                        Goal.atMost(goals.scriptCpu))
                .goal(
                        subject + "per second / ancestor at its best (paired)",
                        series.over(List.copyOf(ancestor.values()), Turn::perSecond),
                        Goal.atLeast(goals.ancestor));
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

    private static void ancestor(Table table, String state, Map<Integer, RoomSeries> ancestor) {
        ancestor.forEach((connections, series) -> {
            String subject = "ancestor, %s, connections: %d: ".formatted(state, connections);
            table.note(subject + "per second", series.interval(Turn::perSecond))
                    .note(subject + "CPU us each, Redis", series.interval(Turn::redisMicros))
                    .note(
                            subject + "round trips each",
                            series.interval(turn -> 1 / turn.decisions().perTrip()));
        });
    }

    private void length(Table table) {
        List<RoomSeries> lines = List.copyOf(turns.waiting().values());
        if (lines.size() > 1) {
            table.goal(
                    "redis, per second, %,d / %,d waiting (paired)"
                            .formatted(
                                    turns.waiting().lastKey(), turns.waiting().firstKey()),
                    lines.get(lines.size() - 1).over(lines.subList(0, 1), Turn::perSecond),
                    Goal.atLeast(goals.length));
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
