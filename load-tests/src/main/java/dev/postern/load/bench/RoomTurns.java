package dev.postern.load.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

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
 */
record RoomTurns(
        NavigableMap<Integer, RoomSeries> waiting,
        RoomSeries recorded,
        RoomSeries admitted,
        RoomSeries empty,
        NavigableMap<Integer, RoomSeries> memory,
        NavigableMap<Integer, RoomSeries> map,
        RoomSeries memoryAdmitted) {

    List<RoomSeries> all() {
        List<RoomSeries> all = new ArrayList<>(waiting.values());
        all.add(recorded);
        all.add(admitted);
        all.add(empty);
        memory.forEach((line, series) -> all.addAll(List.of(series, map.get(line))));
        all.add(memoryAdmitted);
        return all;
    }
}
