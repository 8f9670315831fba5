package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.RoomOverrides;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Room store in memory or in Redis, which decides admission requests of rooms and of limits without rooms.
 *
 * <p>Every method with a {@code loop} is called on this loop. The callback is called exactly once on the same loop, with {@link
 * AdmissionDecision.Kind#UNKNOWN} when the store does not respond in time. No method blocks.
 */
public interface RoomStore extends AutoCloseable {

    void decide(RoomKey room, AdmissionRequest request, EventLoop loop, Consumer<AdmissionDecision> response);

    /** Decides a request of a limit without rooms. */
    void limit(String key, Gcra rate, EventLoop loop, Consumer<AdmissionDecision> response);

    /**
     * Adds a network to those from which a pass is used on all nodes together. The decision passes unless there are {@link
     * PassNetworks#OTHERS} other networks already.
     *
     * @param network keyed hash of the network, 16 characters, the same on all nodes
     */
    void network(CachedPass pass, String network, EventLoop loop, Consumer<AdmissionDecision> response);

    /** Revokes the pass and the place of a session. */
    void revoke(RoomKey room, String session, EventLoop loop);

    /**
     * Changes the operator's overrides of a room.
     *
     * @param change returns the new overrides from the current ones, on whichever node the current ones were set
     * @param listener takes the result, on the loop
     */
    void control(RoomKey room, UnaryOperator<RoomOverrides> change, EventLoop loop, Consumer<Controlled> listener);

    /**
     * Controlled room: the result of a change of overrides.
     *
     * @param stored whether the store has the overrides; otherwise this node sends them as soon as the store responds again
     */
    record Controlled(RoomOverrides overrides, boolean stored) {}

    /**
     * Applies new rules to existing rooms.
     *
     * @param current returns the key with the current rules for a room id; null when no limit has such a room
     */
    void rules(Function<String, @Nullable RoomKey> current);

    /** Returns the room's clock and epoch as known by this node; zeros when unknown. */
    AdmissionDecision.Snapshot known(RoomKey room);

    /** Returns all rooms that this node knows; from any thread. */
    List<RoomState> rooms();

    /** Returns whether the store responds. */
    boolean healthy();

    /** Returns the servers of the store by address, with a short text of the state of each; empty for a store in this process. */
    default Map<String, String> stores() {
        return Map.of();
    }

    @Override
    void close();
}
