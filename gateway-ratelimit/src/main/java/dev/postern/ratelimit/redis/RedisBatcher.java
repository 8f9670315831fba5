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
 * Batcher of one event loop: sends the commands of one pass of the loop in one flush, with one call per room, and returns the responses in
 * one batch. Confined to the loop.
 */
final class RedisBatcher {

    /** Maximum number of decisions in one call; measured: larger calls are slower. */
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

    /** Calls: builds them from commands and handles their responses. */
    interface Calls {

        /** Returns the group of a command; commands of one group may be sent in one call. */
        String group(RoomCommand command);

        /** Returns a call for the commands of one group. */
        Call prepare(List<RoomCommand> commands);

        /** Takes the response, or null when there was none in time, and calls the callbacks of the commands. */
        void finish(Call call, @Nullable List<Object> reply, long nanos);
    }

    /**
     * Call of a script.
     *
     * @param sentAt time of this node's clock in microseconds
     */
    record Call(Script script, String[] keys, String[] arguments, List<RoomCommand> commands, long sentAt) {}

    void send(RoomCommand command) {
        batcher.add(command);
    }

    private void send(List<RoomCommand> commands) {
        Map<String, List<RoomCommand>> byRoom = new LinkedHashMap<>();
        for (RoomCommand command : commands) {
            byRoom.computeIfAbsent(calls.group(command), i -> new ArrayList<>()).add(command);
        }
        for (List<RoomCommand> commandsOfRoom : byRoom.values()) {
            send(calls.prepare(commandsOfRoom));
        }
        connection.flush();
    }

    private void send(Call call) {
        Pending pending = new Pending(call, loop.ticker().nanoTime());
        if (!connection.permits()) {
            // Later in this pass: the callback must not be called before the caller's method returns.
            mailbox.add(() -> pending.settle(null));
            return;
        }
        pending.permitted = true;
        pending.timer = loop.schedule(pending::timedOut, deadlineNanos, TimeUnit.NANOSECONDS);
        Consumer<@Nullable List<Object>> response = reply -> mailbox.add(() -> pending.settle(reply));
        connection.call(call.script(), call.keys(), call.arguments(), response);
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

        void timedOut() {
            connection.silent();
            settle(null);
        }

        void settle(@Nullable List<Object> reply) {
            if (settled) {
                return;
            }
            settled = true;
            if (timer != null) {
                timer.cancel(false);
            }
            long nanos = loop.ticker().nanoTime() - start;
            if (permitted && reply == null) {
                connection.failed(nanos);
            } else if (permitted) {
                connection.succeeded(nanos);
            }
            calls.finish(call, reply, nanos);
        }
    }
}
