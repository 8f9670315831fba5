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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What this node last heard of each room, and how far Redis' clock is ahead of ours. Thread-safe. */
final class KnownRooms {

    /** Rooms that nobody has asked for a while no longer show, but their epochs stay known as long as Redis keeps them. */
    private static final long SHOWN = 60_000_000;

    private static final int MOST = 10_000;

    private final Map<String, Known> rooms = new ConcurrentHashMap<>();
    /** By room; as many as operators made. */
    private final Map<String, Controls> controls = new ConcurrentHashMap<>();

    private volatile long ahead;
    private volatile boolean clockKnown;

    /** Notes the room's state; says whether its memory is another one than this node knew. */
    boolean note(RoomKey key, Snapshot room, long now) {
        Known before = rooms.get(key.id());
        if (before == null && rooms.size() >= MOST) {
            rooms.values().removeIf(known -> now - known.at > SHOWN);
        }
        rooms.put(key.id(), new Known(key, room, now));
        return before != null && before.room.epoch() != room.epoch();
    }

    /** Notes Redis' clock in an answer to a call made at {@code sentAt}; errs towards Redis being ahead, which ends passes early. */
    void clock(long redisNow, long sentAt) {
        ahead = redisNow - sentAt;
        clockKnown = true;
    }

    /** An instant of Redis' clock that is {@code micros} from {@code now}; 0 when its clock isn't known yet. */
    long after(long now, long micros) {
        return clockKnown ? now + ahead + micros : 0;
    }

    /** The epoch of the room that Redis must still know, 0 when it may have forgotten the room for good reason. */
    long epoch(RoomKey key, long now) {
        Known known = rooms.get(key.id());
        return known == null || now - known.at > RoomRules.CREDENTIAL_MEMORY / 2 ? 0 : known.room.epoch();
    }

    /** The room as it was, with Redis' clock as it must be now. */
    Snapshot room(RoomKey key, long now) {
        @Nullable Known known = rooms.get(key.id());
        if (known == null || !clockKnown) {
            return Snapshot.NONE;
        }
        return new Snapshot(now + ahead, known.room.epoch(), known.room.waiting(), known.room.active());
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
    void want(String id, UnaryOperator<Controls> change, long now) {
        controls.compute(id, (room, known) -> {
            Controls before = known == null ? Controls.NONE : known;
            return change.apply(before).at(Math.max(now + ahead, before.stamp() + 1));
        });
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

    private record Known(RoomKey key, Snapshot room, long at) {}
}
