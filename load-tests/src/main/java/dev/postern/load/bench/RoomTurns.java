package dev.postern.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Turns that {@link RoomBench} measures alternately.
 *
 * @param waiting sessions that wait in Redis, by their number
 * @param recorded as many waiting sessions as in the shortest line, each of whose requests is recorded
 * @param admitted admitted sessions in Redis
 * @param empty calls of an empty script
 * @param memory sessions that wait in memory, by their number
 * @param map updates of a bare map, by the number of its rows
 * @param memoryAdmitted admitted sessions in memory
 * @param ancestor commands of the ancestor for waiting sessions, by connections
 * @param ancestorAdmitted commands of the ancestor for admitted sessions, by connections
 */
record RoomTurns(
        SortedMap<Integer, RoomSeries> waiting,
        RoomSeries recorded,
        RoomSeries admitted,
        RoomSeries empty,
        SortedMap<Integer, RoomSeries> memory,
        SortedMap<Integer, RoomSeries> map,
        RoomSeries memoryAdmitted,
        SortedMap<Integer, RoomSeries> ancestor,
        SortedMap<Integer, RoomSeries> ancestorAdmitted) {

    List<RoomSeries> all() {
        List<RoomSeries> all = new ArrayList<>(waiting.values());
        all.add(recorded);
        all.add(admitted);
        all.add(empty);
        all.addAll(ancestor.values());
        all.addAll(ancestorAdmitted.values());
        memory.forEach((line, series) -> all.addAll(List.of(series, map.get(line))));
        all.add(memoryAdmitted);
        return all;
    }
}
