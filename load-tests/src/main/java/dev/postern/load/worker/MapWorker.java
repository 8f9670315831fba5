package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Map worker: updates a bare map, with a row for each session of a room, as fast as one thread can: the limit of a
 * waiting room in memory. A row has as many numbers as that of a waiting session: its ticket and the time of its last
 * request. Questions and responses are those of {@link EngineWorker} for waiting sessions.
 */
public final class MapWorker {
    private final Map<Integer, Map<String, long[]>> maps = new HashMap<>();
    private final FreshVisits visits = new FreshVisits();
    private long updates;

    private MapWorker() {}

    public static void main(String... arguments) throws IOException {
        MapWorker worker = new MapWorker();
        Worker.serve(worker::response);
    }

    private String response(String question) {
        String[] words = question.split(" ");
        RoomSessions sessions = RoomSessions.of(words);
        Map<String, long[]> map = maps.computeIfAbsent(sessions.size(), size -> new HashMap<>());
        if (words[2].equals("fill")) {
            return new Decisions(sessions.size(), 0, Cost.of(() -> fill(map, sessions))).line();
        }
        return visits.run(sessions, 0, Double.parseDouble(words[2]), made -> update(map, made))
                .line();
    }

    private static long fill(Map<String, long[]> map, RoomSessions sessions) {
        for (int i = 0; i < sessions.size(); i++) {
            map.put(RoomSessions.name(i), new long[] {i, 0});
        }
        return map.size();
    }

    private long update(Map<String, long[]> map, List<AdmissionRequest> made) {
        for (AdmissionRequest visit : made) {
            long[] row = map.get(visit.session());
            if (row == null) {
                throw new IllegalStateException("update before the fill (expected: filled first)");
            }
            row[1] = ++updates;
        }
        return made.size();
    }
}
