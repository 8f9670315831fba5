package dev.postern.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * All that {@link RoomBench} measures in turn.
 *
 * @param waiting in Redis, by how many wait
 * @param admitted in Redis
 * @param memory those who wait, in memory, by how many they are
 * @param memoryAdmitted in memory
 * @param ancestor the ancestor's commands for those who wait, by connections
 * @param ancestorAdmitted the same for those who are in
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
