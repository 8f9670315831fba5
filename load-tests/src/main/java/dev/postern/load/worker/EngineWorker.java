package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.store.Micros;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Engine worker: takes decisions of a waiting room in memory as fast as one thread can, with the rule and the clock
 * only. A question is {@code waiting} or {@code admitted}, the size of the room, and {@code fill} or the number of
 * seconds for which its sessions send visits; its response is {@link Decisions}.
 */
public final class EngineWorker {
    private static final int VISITS = 1 << 17;

    private final InstantSource clock = InstantSource.system();
    private final Map<RoomSessions, Room> rooms = new HashMap<>();

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
        return again(sessions, Double.parseDouble(words[2])).line();
    }

    private long fill(RoomSessions sessions) {
        Room room = new Room(sessions.key().rules(), Micros.of(clock));
        rooms.put(sessions, room);
        decide(room, List.of(sessions.enter(sessions.size() + 1)), Kind.BASE);
        decide(room, List.of(sessions.first()), Kind.ADMITTED);
        for (int i = 0; i < sessions.size(); i++) {
            decide(room, List.of(sessions.enter(i)), expected(sessions));
        }
        return sessions.size();
    }

    /**
     * Creates new visits for each turn, since a name whose hash is computed already is found faster than that of a new
     * cookie.
     */
    private Decisions again(RoomSessions sessions, double seconds) {
        Room room = rooms.get(sessions);
        if (room == null) {
            throw new IllegalStateException(sessions + ": question before the fill (expected: filled first)");
        }
        List<Cost> turns = new ArrayList<>();
        long epoch = room.snapshot(Micros.of(clock)).epoch();
        double spent = 0;
        while (spent < seconds) {
            List<AdmissionRequest> visits = sessions.again(VISITS, epoch);
            Cost cost = Cost.of(() -> decide(room, visits, expected(sessions)));
            spent += VISITS / cost.perSecond();
            turns.add(cost);
        }
        return new Decisions((long) turns.size() * VISITS, 0, Cost.mean(turns));
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

    private static Kind expected(RoomSessions sessions) {
        return Kind.valueOf(sessions.state().name());
    }
}
