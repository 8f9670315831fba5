package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.store.Micros;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Engine worker: takes decisions of a waiting room in memory as fast as one thread can, with the rule and the clock
 * only. A question is {@code waiting} or {@code admitted}, the size of the room, and {@code fill} or the number of
 * seconds for which its sessions send visits; its response is {@link Decisions}.
 */
public final class EngineWorker {
    private final InstantSource clock = InstantSource.system();
    private final Map<RoomSessions, Room> rooms = new HashMap<>();
    private final FreshVisits visits = new FreshVisits();

    private EngineWorker() {}

    public static void main(String... arguments) throws IOException {
        EngineWorker worker = new EngineWorker();
        Worker.serve(worker::response);
    }

    private String response(String question) {
        String[] words = question.split(" ");
        RoomSessions sessions = RoomSessions.of(words);
        if (words[2].equals("fill")) {
            return new Decisions(sessions.size(), 0, Cost.of(() -> fill(sessions))).line();
        }
        Room room = rooms.get(sessions);
        if (room == null) {
            throw new IllegalStateException(sessions + ": question before the fill (expected: filled first)");
        }
        long epoch = room.snapshot(Micros.of(clock)).epoch();
        return visits.run(sessions, epoch, Double.parseDouble(words[2]), made -> decide(room, made, sessions.kind()))
                .line();
    }

    private long fill(RoomSessions sessions) {
        Room room = new Room(sessions.key().rules(), Micros.of(clock));
        rooms.put(sessions, room);
        decide(room, List.of(sessions.enter(sessions.size() + 1)), Kind.BASE);
        decide(room, List.of(sessions.first()), Kind.ADMITTED);
        for (int i = 0; i < sessions.size(); i++) {
            decide(room, List.of(sessions.enter(i)), sessions.kind());
        }
        return sessions.size();
    }

    private long decide(Room room, List<AdmissionRequest> visits, Kind expected) {
        for (AdmissionRequest request : visits) {
            Kind kind = room.decide(request, Micros.of(clock)).kind();
            if (kind != expected) {
                throw new IllegalStateException("visit: " + kind + " (expected: " + expected + ")");
            }
        }
        return visits.size();
    }
}
