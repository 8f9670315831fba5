package dev.postern.load.bench;

import dev.postern.load.bench.RoomSeries.Turn;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.List;
import java.util.Map;

/**
 * Rows of {@link RoomBench}.
 *
 * @param bytes growth of Redis by the number of waiting sessions
 */
record RoomTable(RoomTurns turns, Map<Integer, Long> bytes, RoomGoals goals) {

    Table table() {
        Table table = new Table();
        turns.waiting().forEach((line, series) -> {
            String subject = "redis, %,d waiting: ".formatted(line);
            redis(table, subject, series, goals.waiting);
            beside(table, subject, series, turns.ancestor());
        });
        String input = "redis, admitted: ";
        redis(table, input, turns.admitted(), goals.admitted);
        beside(table, input, turns.admitted(), turns.ancestorAdmitted());
        ancestor(table, "waiting", turns.ancestor());
        ancestor(table, "admitted", turns.ancestorAdmitted());
        flat(table);
        bytes(table);
        turns.memory().forEach((line, series) -> memory(table, "memory, %,d waiting: ".formatted(line), series));
        memory(table, "memory, admitted: ", turns.memoryAdmitted());
        return table;
    }

    private void redis(Table table, String subject, RoomSeries series, double perSecond) {
        table.goal(subject + "per second", series.spread(Turn::perSecond), Goal.atLeast(perSecond))
                .goal(subject + "CPU us each, Redis", series.spread(Turn::redisMicros), Goal.atMost(goals.redisMicros))
                .note(subject + "CPU us each, gateway's side", series.spread(Turn::ownMicros))
                .note(
                        subject + "share of a core that Redis used",
                        series.spread(turn -> turn.redisMicros() * turn.perSecond() / 1e6))
                .note(
                        subject + "decisions in a call",
                        series.spread(turn -> turn.decisions().perTrip()));
    }

    private void beside(Table table, String subject, RoomSeries series, Map<Integer, RoomSeries> ancestor) {
        table.goal(
                subject + "per second / ancestor at its best (paired)",
                series.over(List.copyOf(ancestor.values()), Turn::perSecond),
                Goal.atLeast(goals.ancestor));
    }

    private static void ancestor(Table table, String state, Map<Integer, RoomSeries> ancestor) {
        ancestor.forEach((connections, series) -> {
            String subject = "ancestor, %s, connections: %d: ".formatted(state, connections);
            table.note(subject + "per second", series.spread(Turn::perSecond))
                    .note(subject + "CPU us each, Redis", series.spread(Turn::redisMicros))
                    .note(
                            subject + "round trips each",
                            series.spread(turn -> 1 / turn.decisions().perTrip()));
        });
    }

    private void flat(Table table) {
        List<Map.Entry<Integer, RoomSeries>> lines = List.copyOf(turns.waiting().entrySet());
        Map.Entry<Integer, RoomSeries> shortest = lines.get(0);
        for (Map.Entry<Integer, RoomSeries> line : lines.subList(1, lines.size())) {
            table.goal(
                    "redis, CPU each, %,d / %,d waiting (paired)".formatted(line.getKey(), shortest.getKey()),
                    line.getValue().over(List.of(shortest.getValue()), Turn::redisMicros),
                    Goal.atMost(goals.flat));
        }
    }

    /**
     * The fixed memory of a room and of its connection is shared by all waiting sessions, so only a large number shows
     * the bytes of one session.
     */
    private void bytes(Table table) {
        int longest = bytes.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        bytes.forEach((line, used) -> {
            String figure = "redis, %,d waiting: bytes each".formatted(line);
            if (line == longest) {
                table.goal(figure, (double) used / line, Goal.atMost(goals.bytes));
            } else {
                table.note(figure, Spread.number((double) used / line));
            }
        });
    }

    private void memory(Table table, String subject, RoomSeries series) {
        table.goal(subject + "per second", series.spread(Turn::perSecond), Goal.atLeast(goals.memory))
                .note(subject + "CPU us each", series.spread(Turn::ownMicros))
                .note(
                        subject + "heap bytes each",
                        series.spread(turn -> turn.decisions().cost().heapBytes()));
    }
}
