package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.Controls;
import dev.postern.ratelimit.queue.Decision.Snapshot;
import dev.postern.ratelimit.queue.RoomRules;
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
final class KnownRooms {

    /** Rooms that nobody has asked for a while no longer show, but their epochs stay known as long as Redis keeps them. */
    private static final long SHOWN = 60_000_000;

    private static final long QUIET = 1_000_000;

    private static final int MOST = 10_000;

    private final Map<String, Known> rooms = new ConcurrentHashMap<>();
    /** By room; as many as operators made. */
    private final Map<String, Controls> controls = new ConcurrentHashMap<>();

    /** Of the servers that decide limits; rooms have their own, since those of a Cluster may be on different servers. */
    private volatile @Nullable Long aheadForLimits;

    /** Notes the room's state; says whether its memory is another one than this node knew. */
    boolean note(RoomKey key, Snapshot room, long sentAt, long now) {
        Known before = rooms.get(key.id());
        if (before == null && rooms.size() >= MOST) {
            rooms.values().removeIf(known -> now - known.at > SHOWN);
        }
        rooms.put(key.id(), new Known(key, room, room.now() - sentAt, now));
        return before != null && before.room.epoch() != room.epoch();
    }

    /** Lets the rooms that this node knows go on by other rules; those that no limit has any more are asked for no longer. */
    void rules(Function<String, @Nullable RoomKey> now) {
        for (String id : rooms.keySet()) {
            RoomKey key = now.apply(id);
            rooms.computeIfPresent(
                    id, (same, known) -> key == null ? null : new Known(key, known.room, known.ahead, known.at));
        }
    }

    /** Notes the clock in an answer about limits to a call made at {@code sentAt}. */
    void clock(long redisNow, long sentAt) {
        aheadForLimits = redisNow - sentAt;
    }

    /** Notes the clock of a room's server; errs towards Redis being ahead, which ends passes early. */
    void clock(RoomKey key, long redisNow, long sentAt) {
        rooms.computeIfPresent(key.id(), (id, known) -> new Known(known.key, known.room, redisNow - sentAt, known.at));
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

    /** The epoch of the room that Redis must still know, 0 when it may have forgotten the room for good reason. */
    long epoch(RoomKey key, long now) {
        Known known = rooms.get(key.id());
        return known == null || now - known.at > RoomRules.CREDENTIAL_MEMORY / 2 ? 0 : known.room.epoch();
    }

    /** The room as it was, with Redis' clock as it must be now. */
    Snapshot room(RoomKey key, long now) {
        @Nullable Known known = rooms.get(key.id());
        if (known == null) {
            return Snapshot.NONE;
        }
        return new Snapshot(now + known.ahead, known.room.epoch(), known.room.waiting(), known.room.active());
    }

    Controls controls(String id) {
        return controls.getOrDefault(id, Controls.NONE);
    }

    /** Takes over what the room's memory says an operator wants, if this node doesn't know of anything newer. */
    void learn(String id, Controls wanted) {
        if (wanted.newerThan(controls(id))) {
            controls.merge(id, wanted, (old, other) -> other.newerThan(old) ? other : old);
        }
    }

    /** Changes what an operator wants, from what this node knows. */
    void want(RoomKey key, UnaryOperator<Controls> change, long now) {
        long stamp = Math.max(now, after(key, now, 0));
        controls.compute(key.id(), (id, known) -> {
            Controls before = known == null ? Controls.NONE : known;
            return change.apply(before).at(Math.max(stamp, before.stamp() + 1));
        });
    }

    /** Rooms with passes that may be alive, of which nothing was heard for a second: at most so many. */
    List<RoomKey> quiet(long now, int most) {
        return rooms.values().stream()
                .filter(known -> now - known.at > QUIET
                        && now - known.at < known.key.rules().idle())
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

    /** @param ahead how far the room's clock is ahead of ours */
    private record Known(RoomKey key, Snapshot room, long ahead, long at) {}
}
