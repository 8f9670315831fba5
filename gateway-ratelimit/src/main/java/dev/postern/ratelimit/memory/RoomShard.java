package dev.postern.ratelimit.memory;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.LimitTable;
import dev.postern.ratelimit.queue.Room;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.RoomClock;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shard of the rooms and limits that one event loop owns. Only this loop calls the methods; {@link #states} may be called by any thread.
 */
final class RoomShard {

    /** Maximum number of rooms; above it, a room without sessions is removed for a new one. */
    static final int MAX_ROOMS = 10_000;

    /** Maximum number of rooms that one request checks to find a room without sessions. */
    private static final int MAX_LOOKS = 64;

    private static final int MAX_KEYS = 200_000;
    private static final long RETRY = 5_000_000;

    private final RoomClock clock;
    private final Map<String, Owned> rooms = new ConcurrentHashMap<>();
    /** Overrides by room id; they outlive the rooms, and their number is not limited. */
    private final Map<String, RoomOverrides> controls = new ConcurrentHashMap<>();

    private final LimitTable limits = new LimitTable(MAX_KEYS);
    /** Position at which the search for a room without sessions continues. */
    private Iterator<Owned> candidates = rooms.values().iterator();

    RoomShard(RoomClock clock) {
        this.clock = clock;
    }

    AdmissionDecision decide(RoomKey key, AdmissionRequest request) {
        long now = clock.now();
        Owned owned = room(key, now);
        if (owned == null) {
            return new AdmissionDecision(Kind.FULL, 0, 0, RETRY, 0, 0, 0, false, Snapshot.NONE);
        }
        owned.room.wallAhead(clock.wallAhead(now));
        AdmissionDecision decision = owned.room.decide(request, now);
        owned.seen = decision.room();
        return decision;
    }

    AdmissionDecision limit(String key, Gcra rate) {
        return limits.decide(key, rate, clock.now());
    }

    void revoke(RoomKey key, String session) {
        Owned owned = rooms.get(key.id());
        if (owned != null) {
            owned.room.revoke(session, clock.now());
        }
    }

    RoomOverrides control(RoomKey key, UnaryOperator<RoomOverrides> change) {
        RoomOverrides previous = controls(key.id());
        RoomOverrides after = change.apply(previous).at(Math.max(clock.now(), previous.stamp() + 1));
        controls.put(key.id(), after);
        Owned owned = rooms.get(key.id());
        if (owned != null) {
            owned.room.control(after);
        }
        return after;
    }

    /** Applies new rules to existing rooms. */
    void rules(Function<String, @Nullable RoomKey> current) {
        for (String id : rooms.keySet()) {
            RoomKey key = current.apply(id);
            if (key != null) {
                room(key, clock.now());
            }
        }
    }

    /** Removes empty rooms, and updates the snapshots of the others. */
    void sweep() {
        long now = clock.now();
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

    /** Removes one room without sessions and without overrides. Returns false when none was found. */
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
