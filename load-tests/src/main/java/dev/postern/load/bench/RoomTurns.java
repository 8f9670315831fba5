package dev.postern.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Turns that {@link RoomBench} measures alternately.
 *
 * @param waiting sessions that wait in Redis, by their number
 * @param admitted admitted sessions in Redis
 * @param memory sessions that wait in memory, by their number
 * @param memoryAdmitted admitted sessions in memory
 * @param ancestor commands of the ancestor for waiting sessions, by connections
 * @param ancestorAdmitted commands of the ancestor for admitted sessions, by connections
 */
record RoomTurns(
        SortedMap<Integer, RoomSeries> waiting,
        RoomSeries admitted,
        SortedMap<Integer, RoomSeries> memory,
        RoomSeries memoryAdmitted,
        SortedMap<Integer, RoomSeries> ancestor,
        SortedMap<Integer, RoomSeries> ancestorAdmitted) {

    List<RoomSeries> all() {
        List<RoomSeries> all = new ArrayList<>(waiting.values());
        all.add(admitted);
        all.addAll(ancestor.values());
        all.addAll(ancestorAdmitted.values());
        all.addAll(memory.values());
        all.add(memoryAdmitted);
        return all;
    }
}
