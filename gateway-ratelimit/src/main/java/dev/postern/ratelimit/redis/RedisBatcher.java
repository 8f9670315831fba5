package dev.postern.ratelimit.redis;

import dev.postern.core.transport.loop.EventLoopBatcher;
import dev.postern.core.transport.loop.EventLoopMailbox;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's way to Redis: what one pass of the loop asks goes out in one flush, a call per room, and comes back in one batch.
 *
 * <p>Its loop only.
 */
final class RedisBatcher {

    /** Decisions in one call; measured: more make it slower again. */
    static final int MAX = 64;

    private final EventLoop loop;
    private final RedisRoomConnection connection;
    private final Calls calls;
    private final long deadlineNanos;
    private final EventLoopBatcher<RoomCommand> batcher;
    private final EventLoopMailbox mailbox;

    RedisBatcher(EventLoop loop, RedisRoomConnection connection, Calls calls, long deadlineNanos) {
        this.loop = loop;
        this.connection = connection;
        this.calls = calls;
        this.deadlineNanos = deadlineNanos;
        this.batcher = new EventLoopBatcher<>(loop, MAX, this::send);
        this.mailbox = new EventLoopMailbox(loop);
    }

    /** What is in a call and what becomes of its response. */
    interface Calls {

        /** Questions of which this is the same may go in one call. */
        String together(RoomCommand command);

        /** A call for these questions, all of one room or all of limits. */
        Call prepare(List<RoomCommand> questions);

        /** Takes the numbers that came, or null when none came in time, and responses the questions. */
        void finish(Call call, @Nullable List<Object> reply, long nanos);
    }

    /** @param sentAt this node's clock in microseconds */
    record Call(Script script, String[] keys, String[] arguments, List<RoomCommand> questions, long sentAt) {}

    void ask(RoomCommand command) {
        batcher.add(command);
    }

    private void send(List<RoomCommand> questions) {
        Map<String, List<RoomCommand>> byRoom = new LinkedHashMap<>();
        for (RoomCommand command : questions) {
            byRoom.computeIfAbsent(calls.together(command), i -> new ArrayList<>())
                    .add(command);
        }
        for (List<RoomCommand> together : byRoom.values()) {
            send(calls.prepare(together));
        }
        connection.flush();
    }

    private void send(Call call) {
        Pending pending = new Pending(call, System.nanoTime());
        if (!connection.permits()) {
            // Later in this pass: who asks must not be answered before its call returns with nothing sent at all.
            mailbox.add(() -> pending.settle(null));
            return;
        }
        pending.permitted = true;
        pending.timer = loop.schedule(() -> pending.settle(null), deadlineNanos, TimeUnit.NANOSECONDS);
        Consumer<@Nullable List<Object>> back = reply -> mailbox.add(() -> pending.settle(reply));
        connection.call(call.script(), call.keys(), call.arguments(), back);
    }

    private final class Pending {

        private final Call call;
        private final long start;
        private boolean permitted;
        private boolean settled;
        private @Nullable ScheduledFuture<?> timer;

        Pending(Call call, long start) {
            this.call = call;
            this.start = start;
        }

        void settle(@Nullable List<Object> reply) {
            if (settled) {
                return;
            }
            settled = true;
            if (timer != null) {
                timer.cancel(false);
            }
            long nanos = System.nanoTime() - start;
            if (permitted && reply == null) {
                connection.failed(nanos, "no response");
            } else if (permitted) {
                connection.succeeded(nanos);
            }
            calls.finish(call, reply, nanos);
        }
    }
}
