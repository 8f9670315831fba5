package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Cache of the last known state of each room, and of the offset of the room's clock to this node's. Thread-safe. */
final class RoomCache {

    /** Time after the last call for which a room is shown. Its epoch is kept as long as Redis keeps the room. */
    private static final long SHOWN = 60_000_000;

    private static final long QUIET = 1_000_000;

    private static final int MAX = 10_000;

    private final Consumer<RoomKey> onLoss;
    private final Map<String, Known> rooms = new ConcurrentHashMap<>();
    /** Overrides by room id; their number is not limited. */
    private final Map<String, RoomOverrides> controls = new ConcurrentHashMap<>();

    /** Clock offset of limits without rooms. Rooms have their own, since rooms of a Cluster may be on different servers. */
    private volatile @Nullable Long aheadForLimits;

    /** @param onLoss called once for each loss of a room's memory that this node sees */
    RoomCache(Consumer<RoomKey> onLoss) {
        this.onLoss = onLoss;
    }

    /**
     * Stores the state of a room. Returns whether the room lost its memory, so that this node must report its knowledge.
     *
     * @param nodes number of nodes that share the room
     */
    boolean note(RoomKey key, Snapshot room, int nodes, long sentAt, long now) {
        if (rooms.size() >= MAX && !rooms.containsKey(key.id())) {
            rooms.values()
                    .removeIf(
                            known -> now - known.at > SHOWN + known.key.rules().pass());
        }
        Known updated = rooms.compute(key.id(), (id, previous) -> {
            RecoveryState recovery = previous == null
                    ? RecoveryState.of(room.epoch(), nodes)
                    : previous.recovery.replied(room.epoch(), nodes);
            if (previous != null && previous.isOfAnother(room.epoch())) {
                onLoss.accept(key);
            }
            return new Known(key, room, ClockOffset.of(room.now(), sentAt, now), sentAt, now, recovery);
        });
        return updated.recovery instanceof RecoveryState.Forgotten;
    }

    /**
     * Returns whether the room has begun another memory since it decided a call: it knows nothing of the decision.
     *
     * @param epoch epoch of the response
     * @param sentAt time at which the call was sent
     */
    boolean isForgotten(RoomKey key, long epoch, long sentAt) {
        Known known = rooms.get(key.id());
        return known != null && known.isOfAnother(epoch) && sentAt < known.sentAt;
    }

    /** Records that this node has reported its knowledge to the room with the epoch. */
    void reported(RoomKey key, long epoch) {
        rooms.computeIfPresent(key.id(), (id, known) -> known.reported(epoch));
    }

    /** Applies new rules to known rooms, and removes rooms that belong to no limit any more. */
    void rules(Function<String, @Nullable RoomKey> current) {
        for (String id : rooms.keySet()) {
            RoomKey key = current.apply(id);
            rooms.computeIfPresent(id, (same, known) -> key == null ? null : known.ruledBy(key));
        }
    }

    /** Stores the clock offset of limits, from the response to a call that was sent at {@code sentAt}. */
    void clock(long redisNow, long sentAt) {
        aheadForLimits = redisNow - sentAt;
    }

    /** Stores the clock offset of a room, from a call that was sent at {@code sentAt} and whose response is here {@code now}. */
    void clock(RoomKey key, long roomNow, long sentAt, long now) {
        rooms.computeIfPresent(key.id(), (id, known) -> known.offset(ClockOffset.of(roomNow, sentAt, now)));
    }

    /** Returns the time of Redis' clock that is {@code micros} after {@code now}, for limits; 0 while unknown. */
    long after(long now, long micros) {
        Long ahead = aheadForLimits;
        return ahead == null ? 0 : now + ahead + micros;
    }

    /** Returns the latest time that a room's clock may have {@code micros} after {@code now}; 0 while unknown. */
    long after(RoomKey key, long now, long micros) {
        Known known = rooms.get(key.id());
        return known == null ? 0 : now + known.offset.most() + micros;
    }

    /**
     * Returns a time that a room's clock has certainly reached at {@code now}; 0 while unknown.
     *
     * @param slack time by which the clocks may have come apart since the last response
     */
    long reached(RoomKey key, long now, long slack) {
        Known known = rooms.get(key.id());
        return known == null ? 0 : known.reached(now, slack);
    }

    /**
     * Returns this node's report for the next call to the room.
     *
     * @param reported time of this node's clock up to which the node has reported
     * @param slack time by which the clocks may have come apart since the last response
     */
    RoomReport report(RoomKey key, String node, long reported, long slack, int replicas) {
        Known known = rooms.get(key.id());
        return known == null
                ? new RoomReport(node, 0, 0, 0, replicas)
                : new RoomReport(
                        node, known.recovery.epoch(), known.reached(reported, slack), known.recovery.peers(), replicas);
    }

    /** Returns the last known state of the room, with the latest time that the room's clock may have: passes end no later than in the room. */
    Snapshot room(RoomKey key, long now) {
        @Nullable Known known = rooms.get(key.id());
        if (known == null) {
            return Snapshot.NONE;
        }
        return new Snapshot(now + known.offset.most(), known.room.epoch(), known.room.waiting(), known.room.active());
    }

    RoomOverrides controls(String id) {
        return controls.getOrDefault(id, RoomOverrides.NONE);
    }

    /** Takes the overrides from the room if they are newer than this node's. */
    void learn(String id, RoomOverrides wanted) {
        if (wanted.newerThan(controls(id))) {
            controls.merge(id, wanted, (old, other) -> other.newerThan(old) ? other : old);
        }
    }

    /** Changes the overrides that this node knows. */
    void want(RoomKey key, UnaryOperator<RoomOverrides> change, long now) {
        long stamp = Math.max(now, after(key, now, 0));
        controls.compute(key.id(), (id, known) -> {
            RoomOverrides previous = known == null ? RoomOverrides.NONE : known;
            return change.apply(previous).at(Math.max(stamp, previous.stamp() + 1));
        });
    }

    /** Returns all rooms that this node knows. */
    List<RoomKey> all() {
        return rooms.values().stream().map(Known::key).toList();
    }

    /** Returns rooms without a response for one second, at most {@code max}. */
    List<RoomKey> quiet(long now, int max) {
        return rooms.values().stream()
                .filter(known -> now - known.at > QUIET)
                .limit(max)
                .map(Known::key)
                .toList();
    }

    List<RoomState> states(long now) {
        Map<String, RoomState> states = new TreeMap<>();
        controls.forEach((id, wanted) -> states.put(id, RoomState.empty(id, wanted)));
        rooms.forEach((id, known) -> {
            if (now - known.at < SHOWN) {
                Snapshot room = known.room;
                states.put(id, new RoomState(known.key.limit(), id, room.waiting(), room.active(), controls(id)));
            }
        });
        return List.copyOf(states.values());
    }

    /**
     * Offset of a room's clock to this node's, in microseconds: the room read its clock after the call was sent and before the response was
     * here. How long this took has no limit, since either process may have been stopped meanwhile.
     */
    private record ClockOffset(long least, long most) {

        static ClockOffset of(long roomNow, long sentAt, long respondedAt) {
            return new ClockOffset(roomNow - respondedAt, roomNow - sentAt);
        }
    }

    /**
     * Known state of a room.
     *
     * @param sentAt time at which the call was sent whose response this is
     * @param at time of the response
     */
    private record Known(RoomKey key, Snapshot room, ClockOffset offset, long sentAt, long at, RecoveryState recovery) {

        /** Returns whether a reply with the epoch is of another memory. */
        boolean isOfAnother(long epoch) {
            return room.epoch() != epoch;
        }

        long reached(long now, long slack) {
            return now + offset.least - slack;
        }

        Known reported(long epoch) {
            return new Known(key, room, offset, sentAt, at, recovery.reported(epoch));
        }

        Known ruledBy(RoomKey other) {
            return new Known(other, room, offset, sentAt, at, recovery);
        }

        Known offset(ClockOffset other) {
            return new Known(key, room, other, sentAt, at, recovery);
        }
    }
}
