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
 * Decides visits to rooms and plain limits, in memory or in Redis.
 *
 * <p>Every question is asked on {@code loop} and answered on it exactly once, soon: with {@link AdmissionDecision.Kind#UNKNOWN} when the store
 * does not say in time. Nothing blocks.
 */
public interface RoomStore extends AutoCloseable {

    void visit(RoomKey room, AdmissionRequest request, EventLoop loop, Consumer<AdmissionDecision> response);

    /** A limit without a room. */
    void limit(String key, Gcra rate, EventLoop loop, Consumer<AdmissionDecision> response);

    /** Takes back the pass and the place of a session. */
    void revoke(RoomKey room, String session, EventLoop loop);

    /**
     * Changes what an operator wants of a room.
     *
     * @param change of what is wanted so far, on whichever node that was said
     * @param listener what is wanted now; on the loop
     */
    void control(RoomKey room, UnaryOperator<RoomOverrides> change, EventLoop loop, Consumer<Controlled> listener);

    /**
     * What is wanted of a room.
     *
     * @param stored whether the store has it; else this node tells it as soon as it responds again
     */
    record Controlled(RoomOverrides overrides, boolean stored) {}

    /**
     * Other rules hold now.
     *
     * @param current what a room of that id is ruled by; null when no limit has such a room any more
     */
    void rules(Function<String, @Nullable RoomKey> current);

    /** Where the room's clock stands, and when its memory begins, as far as this node knows; zeros when it doesn't. */
    AdmissionDecision.Snapshot known(RoomKey room);

    /** All rooms that this node knows; from any thread. */
    List<RoomState> rooms();

    /** Whether the store responds now. */
    boolean healthy();

    /** The servers of the store by their addresses, and the state of each in a few words; none where it is in this process. */
    default Map<String, String> stores() {
        return Map.of();
    }

    @Override
    void close();
}
