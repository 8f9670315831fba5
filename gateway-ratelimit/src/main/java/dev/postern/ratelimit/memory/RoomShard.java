package dev.postern.ratelimit.memory;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.LimitTable;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rooms and limits that one event loop owns. Only that loop decides; any thread may read {@link #states}.
 */
final class RoomShard {

    /** Rooms at most; beyond it one in which nobody is makes way. */
    static final int MAX_ROOMS = 10_000;

    /** Rooms that one visit looks at, at most, to find one that makes way. */
    private static final int MAX_LOOKS = 64;

    private static final int MAX_KEYS = 200_000;
    private static final long RETRY = 5_000_000;

    private final InstantSource clock;
    private final Map<String, Owned> rooms = new ConcurrentHashMap<>();
    /** By room; outlives the rooms, and as many as operators made. */
    private final Map<String, RoomOverrides> controls = new ConcurrentHashMap<>();

    private final LimitTable limits = new LimitTable(MAX_KEYS);
    /** Where the search for a room that may make way goes on. */
    private Iterator<Owned> candidates = rooms.values().iterator();

    private long last;

    RoomShard(InstantSource clock) {
        this.clock = clock;
    }

    AdmissionDecision visit(RoomKey key, AdmissionRequest request) {
        long now = now();
        Owned owned = room(key, now);
        if (owned == null) {
            return new AdmissionDecision(Kind.FULL, 0, 0, RETRY, 0, 0, 0, false, Snapshot.NONE);
        }
        AdmissionDecision decision = owned.room.decide(request, now);
        owned.seen = decision.room();
        return decision;
    }

    AdmissionDecision limit(String key, Gcra rate) {
        return limits.decide(key, rate, now());
    }

    void revoke(RoomKey key, String session) {
        Owned owned = rooms.get(key.id());
        if (owned != null) {
            owned.room.revoke(session, now());
        }
    }

    RoomOverrides control(RoomKey key, UnaryOperator<RoomOverrides> change) {
        RoomOverrides before = controls(key.id());
        RoomOverrides after = change.apply(before).at(Math.max(now(), before.stamp() + 1));
        controls.put(key.id(), after);
        Owned owned = rooms.get(key.id());
        if (owned != null) {
            owned.room.control(after);
        }
        return after;
    }

    /** Lets the rooms that there are go on by other rules. */
    void rules(Function<String, @Nullable RoomKey> current) {
        for (String id : rooms.keySet()) {
            RoomKey key = current.apply(id);
            if (key != null) {
                room(key, now());
            }
        }
    }

    /** Lets rooms vanish in which nothing is left. */
    void sweep() {
        long now = now();
        Iterator<Owned> all = rooms.values().iterator();
        while (all.hasNext()) {
            Owned owned = all.next();
            if (owned.room.vanishes(now)) {
                all.remove();
            } else {
                owned.seen = owned.room.snapshot(now);
            }
        }
    }

    Snapshot known(RoomKey key) {
        Owned owned = rooms.get(key.id());
        return owned == null ? Snapshot.NONE : owned.seen;
    }

    void states(List<RoomState> into) {
        for (Owned owned : rooms.values()) {
            Snapshot seen = owned.seen;
            RoomKey key = owned.key;
            into.add(new RoomState(key.limit(), key.id(), seen.waiting(), seen.active(), controls(key.id())));
        }
        controls.forEach((id, wanted) -> {
            if (!rooms.containsKey(id)) {
                into.add(RoomState.empty(id, wanted));
            }
        });
    }

    private RoomOverrides controls(String id) {
        return controls.getOrDefault(id, RoomOverrides.NONE);
    }

    private @Nullable Owned room(RoomKey key, long now) {
        Owned owned = rooms.get(key.id());
        if (owned == null) {
            if (rooms.size() >= MAX_ROOMS && !makeWay(now)) {
                return null;
            }
            owned = new Owned(key, new Room(key.rules(), now));
            owned.room.control(controls(key.id()));
            rooms.put(key.id(), owned);
        } else if (!owned.key.rules().equals(key.rules())) {
            owned.key = key;
            owned.room.rules(key.rules());
        }
        return owned;
    }

    /** Drops a room in which nobody waits or has a pass, and of which no operator wants anything; false when none was found. */
    private boolean makeWay(long now) {
        for (int i = 0; i < MAX_LOOKS; i++) {
            if (!candidates.hasNext()) {
                candidates = rooms.values().iterator();
            }
            Owned owned = candidates.next();
            if (owned.room.deserted(now) && controls(owned.key.id()).equals(RoomOverrides.NONE)) {
                rooms.remove(owned.key.id());
                return true;
            }
        }
        return false;
    }

    /** The clock, except that it never goes back. */
    private long now() {
        last = Math.max(last, Micros.of(clock));
        return last;
    }

    private static final class Owned {

        private final Room room;
        private volatile RoomKey key;
        private volatile Snapshot seen = Snapshot.NONE;

        Owned(RoomKey key, Room room) {
            this.key = key;
            this.room = room;
        }
    }
}
