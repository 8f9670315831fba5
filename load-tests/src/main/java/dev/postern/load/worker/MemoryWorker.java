package dev.postern.load.worker;

import dev.postern.load.measure.Cost;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.store.Micros;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Memory worker: takes decisions of a waiting room in memory as fast as one thread can, with the rule and the clock only, or updates a
 * bare map with a row for each session, the limit of such a room. Argument: {@code engine} or {@code map}. A question is {@code waiting}
 * or {@code admitted}, the size of the room, and {@code fill} or the number of seconds for which its sessions send visits; its response is
 * {@link Decisions}.
 */
public final class MemoryWorker implements Worker.Task {
    private static final int VISITS = 1 << 17;

    private final Map<RoomSessions, Store> stores = new HashMap<>();
    private final Function<RoomSessions, Store> filled;
    private int turn;

    /** Store of the sessions of a room. */
    private interface Store {
        long epoch();

        /** Handles a visit of a session that is in the room. */
        void decide(AdmissionRequest request);
    }

    MemoryWorker(String... arguments) {
        filled = arguments[0].equals("map") ? Rows::new : Engine::new;
    }

    @Override
    public Decisions response(String... words) {
        RoomSessions sessions = RoomSessions.of(words);
        if (words[2].equals("fill")) {
            Cost cost = Cost.of(() -> {
                stores.put(sessions, filled.apply(sessions));
                return sessions.size();
            });
            return new Decisions(sessions.size(), 0, cost);
        }
        Store store = stores.get(sessions);
        if (store == null) {
            throw new IllegalStateException(sessions + ": question before the fill (expected: filled first)");
        }
        return run(sessions, store, Double.parseDouble(words[2]));
    }

    /**
     * Runs visits and returns their cost, without that of making them. They are made anew for each pass, since a name whose hash is
     * computed already is found faster than that of a new cookie.
     */
    private Decisions run(RoomSessions sessions, Store store, double seconds) {
        List<Cost> turns = new ArrayList<>();
        double spent = 0;
        while (spent < seconds) {
            List<AdmissionRequest> requests = sessions.again(VISITS, store.epoch(), turn++);
            Cost cost = Cost.of(() -> {
                for (AdmissionRequest request : requests) {
                    store.decide(request);
                }
                return VISITS;
            });
            spent += VISITS / cost.perSecond();
            turns.add(cost);
        }
        return new Decisions((long) turns.size() * VISITS, 0, Cost.mean(turns));
    }

    private static final class Engine implements Store {
        private final InstantSource clock = InstantSource.system();
        private final Room room;
        private final Kind kind;

        Engine(RoomSessions sessions) {
            room = new Room(sessions.key().rules(), Micros.of(clock));
            kind = sessions.kind();
            decide(sessions.enter(sessions.size() + 1), Kind.BASE);
            decide(sessions.first(), Kind.ADMITTED);
            for (int i = 0; i < sessions.size(); i++) {
                decide(sessions.enter(i));
            }
        }

        @Override
        public long epoch() {
            return room.snapshot(Micros.of(clock)).epoch();
        }

        @Override
        public void decide(AdmissionRequest request) {
            decide(request, kind);
        }

        private void decide(AdmissionRequest request, Kind expected) {
            Kind decided = room.decide(request, Micros.of(clock)).kind();
            if (decided != expected) {
                throw new IllegalStateException("visit: " + decided + " (expected: " + expected + ")");
            }
        }
    }

    /** Rows with as many numbers as those of waiting sessions: the ticket and the time of the last request. */
    private static final class Rows implements Store {
        private final Map<String, long[]> map = new HashMap<>();
        private long updates;

        Rows(RoomSessions sessions) {
            for (int i = 0; i < sessions.size(); i++) {
                map.put(RoomSessions.name(i), new long[] {i, 0});
            }
        }

        @Override
        public long epoch() {
            return 0;
        }

        @Override
        public void decide(AdmissionRequest request) {
            long[] row = map.get(request.session());
            if (row == null) {
                throw new IllegalStateException("session: " + request.session() + " (expected: in the map)");
            }
            row[1] = ++updates;
        }
    }
}
