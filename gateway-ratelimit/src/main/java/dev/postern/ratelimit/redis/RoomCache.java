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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What this node last heard of each room, and how far its clock is ahead of ours. Thread-safe. */
final class RoomCache {

    /** Rooms that nobody has asked for a while no longer show, but their epochs stay known as long as Redis keeps them. */
    private static final long SHOWN = 60_000_000;

    private static final long QUIET = 1_000_000;

    private static final int MAX = 10_000;

    private final Map<String, Known> rooms = new ConcurrentHashMap<>();
    /** By room; as many as operators made. */
    private final Map<String, RoomOverrides> controls = new ConcurrentHashMap<>();

    /** Of the servers that decide limits; rooms have their own, since those of a Cluster may be on different servers. */
    private volatile @Nullable Long aheadForLimits;

    /**
     * Notes the room's state; says whether its memory is another one than this node has told what it knows.
     *
     * @param nodes how many share that memory
     */
    boolean note(RoomKey key, Snapshot room, int nodes, long sentAt, long now) {
        if (rooms.size() >= MAX && !rooms.containsKey(key.id())) {
            rooms.values()
                    .removeIf(
                            known -> now - known.at > SHOWN + known.key.rules().pass());
        }
        Known noted = rooms.compute(key.id(), (id, before) -> {
            long reported = before == null ? room.epoch() : before.told;
            int peers = before == null || reported == room.epoch() ? nodes : before.peers;
            return new Known(key, room, room.now() - sentAt, now, reported, peers);
        });
        return noted.told != room.epoch();
    }

    /** This node has told the memory that begins with this epoch what it knows of the room. */
    void told(RoomKey key, long epoch) {
        rooms.computeIfPresent(key.id(), (id, known) -> known.told(epoch));
    }

    /** Lets the rooms that this node knows go on by other rules; those that no limit has any more are asked for no longer. */
    void rules(Function<String, @Nullable RoomKey> current) {
        for (String id : rooms.keySet()) {
            RoomKey key = current.apply(id);
            rooms.computeIfPresent(id, (same, known) -> key == null ? null : known.ruledBy(key));
        }
    }

    /** Notes the clock in a response about limits to a call made at {@code sentAt}. */
    void clock(long redisNow, long sentAt) {
        aheadForLimits = redisNow - sentAt;
    }

    /** Notes the clock of a room's server; errs towards Redis being ahead, which ends passes early. */
    void clock(RoomKey key, long redisNow, long sentAt) {
        rooms.computeIfPresent(key.id(), (id, known) -> known.ahead(redisNow - sentAt));
    }

    /** An instant of the clock of Redis that is {@code micros} from {@code now}, for limits; 0 when it isn't known yet. */
    long after(long now, long micros) {
        Long ahead = aheadForLimits;
        return ahead == null ? 0 : now + ahead + micros;
    }

    /** An instant of a room's clock that is {@code micros} from {@code now}; 0 when it isn't known yet. */
    long after(RoomKey key, long now, long micros) {
        Known known = rooms.get(key.id());
        return known == null ? 0 : now + known.ahead + micros;
    }

    /**
     * What this node tells the room with its next call.
     *
     * @param reported up to when, on this node's clock
     * @param deadline of a call: its clock was read that much too late at most
     */
    RoomReport report(RoomKey key, String node, long reported, long deadline, int replicas) {
        Known known = rooms.get(key.id());
        return known == null
                ? new RoomReport(node, 0, 0, 0, replicas)
                : new RoomReport(node, known.told, reported + known.ahead - deadline, known.peers, replicas);
    }

    /** The room as it was, with Redis' clock as it must be now. */
    Snapshot room(RoomKey key, long now) {
        @Nullable Known known = rooms.get(key.id());
        if (known == null) {
            return Snapshot.NONE;
        }
        return new Snapshot(now + known.ahead, known.room.epoch(), known.room.waiting(), known.room.active());
    }

    RoomOverrides controls(String id) {
        return controls.getOrDefault(id, RoomOverrides.NONE);
    }

    /** Takes over what the room's memory says an operator wants, if this node doesn't know of anything newer. */
    void learn(String id, RoomOverrides wanted) {
        if (wanted.newerThan(controls(id))) {
            controls.merge(id, wanted, (old, other) -> other.newerThan(old) ? other : old);
        }
    }

    /** Changes what an operator wants, from what this node knows. */
    void want(RoomKey key, UnaryOperator<RoomOverrides> change, long now) {
        long stamp = Math.max(now, after(key, now, 0));
        controls.compute(key.id(), (id, known) -> {
            RoomOverrides before = known == null ? RoomOverrides.NONE : known;
            return change.apply(before).at(Math.max(stamp, before.stamp() + 1));
        });
    }

    /** All rooms that this node knows. */
    List<RoomKey> all() {
        return rooms.values().stream().map(Known::key).toList();
    }

    /** Rooms of which nothing was heard for a second: at most so many. */
    List<RoomKey> quiet(long now, int most) {
        return rooms.values().stream()
                .filter(known -> now - known.at > QUIET)
                .limit(most)
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
     * @param ahead how far the room's clock is ahead of ours
     * @param told the epoch of the memory that was told what this node knows
     * @param peers how many nodes share that memory
     */
    private record Known(RoomKey key, Snapshot room, long ahead, long at, long told, int peers) {

        Known told(long epoch) {
            return new Known(key, room, ahead, at, epoch, peers);
        }

        Known ruledBy(RoomKey other) {
            return new Known(other, room, ahead, at, told, peers);
        }

        Known ahead(long micros) {
            return new Known(key, room, micros, at, told, peers);
        }
    }
}
