package dev.postern.ratelimit.redis;

import dev.postern.core.metrics.Meters;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassNetworks;
import dev.postern.ratelimit.store.RoomKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Codec of the scripts: encodes calls, decodes responses, and updates this node's knowledge of rooms. Thread-safe. */
final class RoomScriptCodec implements RedisBatcher.Calls {

    /** Maximum number of pending commands, on all loops together. */
    private static final int MAX_IN_FLIGHT = 16_384;

    /** Retry time of a decision without a response, in microseconds. */
    static final long RETRY = 1_000_000;

    private final RedisStoreSettings settings;
    private final Keys keys;
    private final RoomCache roomCache;
    private final InstantSource clock;
    private final Knowledge knowledge;
    private final String node = UUID.randomUUID().toString();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Timer responded;
    private final Timer unanswered;
    private final Timer late;

    RoomScriptCodec(
            RedisStoreSettings settings,
            RoomCache roomCache,
            InstantSource clock,
            MeterRegistry registry,
            Knowledge knowledge) {
        this.settings = settings;
        this.keys = new Keys(settings.prefix());
        this.roomCache = roomCache;
        this.clock = clock;
        this.knowledge = knowledge;
        this.responded = Meters.ROOM_CALL.timer(registry, "answered");
        this.unanswered = Meters.ROOM_CALL.timer(registry, "unanswered");
        this.late = Meters.ROOM_CALL.timer(registry, "late");
    }

    /** Knowledge of this node about rooms that does not come from their responses. */
    interface Knowledge {

        /** Returns the time of this node's clock up to which the room knows everything that this node knows. */
        long until(String roomId);

        /** Called with each response of a room that lost its memory, until this node has reported its knowledge to the room. */
        void forgotten(RoomKey room, long epoch);
    }

    /** Reserves a place for one more pending command. If true, the caller must send the command. */
    boolean begins() {
        if (inFlight.incrementAndGet() <= MAX_IN_FLIGHT) {
            return true;
        }
        inFlight.decrementAndGet();
        return false;
    }

    /** Groups the commands of one room, those of its passes, and all limits; in a Cluster each limit, since its keys may be on different servers. */
    @Override
    public String group(RoomCommand command) {
        RoomKey room = command.room();
        if (room != null) {
            return command.ofPass() ? "~" + room.id() : room.id();
        }
        return settings.redis().cluster() ? "~" + command.key() : "";
    }

    @Override
    public RedisBatcher.Call prepare(List<RoomCommand> commands) {
        RoomKey room = commands.get(0).room();
        long now = Micros.of(clock);
        if (room != null && commands.get(0).ofPass()) {
            return networks(room, commands, now);
        }
        long deadline = settings.redis().deadline().toNanos() / 1000;
        List<String> arguments = new ArrayList<>(Keys.HEAD + RoomCommand.FIELDS * commands.size());
        if (room != null) {
            RoomReport report = roomCache.report(room, node, knowledge.until(room.id()), deadline, settings.replicas());
            Keys.Terms terms =
                    new Keys.Terms(roomCache.after(room, now, deadline), roomCache.after(room, now, 0), report);
            Keys.head(room.rules(), roomCache.controls(room.id()), terms, arguments);
            commands.forEach(command -> arguments.addAll(command.arguments()));
            return call(Script.ROOM, keys.room(room.id()), arguments, commands, now);
        }
        // In a Cluster, the servers of two limits may have different clocks.
        arguments.add(Long.toString(settings.redis().cluster() ? 0 : roomCache.after(now, deadline)));
        String[] names = new String[commands.size()];
        for (int i = 0; i < names.length; i++) {
            RoomCommand command = commands.get(i);
            names[i] = keys.limit(command.key());
            arguments.addAll(command.arguments());
        }
        return call(Script.LIMIT, names, arguments, commands, now);
    }

    private RedisBatcher.Call networks(RoomKey room, List<RoomCommand> commands, long now) {
        List<String> arguments = new ArrayList<>(1 + 2 * commands.size());
        arguments.add(Integer.toString(PassNetworks.OTHERS));
        commands.forEach(command -> arguments.addAll(command.arguments()));
        String[] names = commands.stream()
                .map(command -> keys.networks(room.id(), command.key()))
                .toArray(String[]::new);
        return call(Script.NETWORK, names, arguments, commands, now);
    }

    private static RedisBatcher.Call call(
            Script script, String[] keys, List<String> arguments, List<RoomCommand> commands, long now) {
        return new RedisBatcher.Call(script, keys, arguments.toArray(String[]::new), commands, now);
    }

    @Override
    public void finish(RedisBatcher.Call call, @Nullable List<Object> reply, long nanos) {
        inFlight.addAndGet(-call.commands().size());
        if (reply == null) {
            unanswered.record(nanos, TimeUnit.NANOSECONDS);
            unknown(call.commands());
            return;
        }
        boolean wasLate = finished(call, reply);
        (wasLate ? late : responded).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Calls the callbacks of the commands. Returns whether the call was late, so that the script changed nothing. */
    private boolean finished(RedisBatcher.Call call, List<Object> reply) {
        if (call.script().equals(Script.ROOM)) {
            return finishRoom(call, reply);
        }
        if (call.script().equals(Script.LIMIT)) {
            return finishLimits(call, reply);
        }
        for (int i = 0; i < call.commands().size(); i++) {
            call.commands().get(i).response().accept(AdmissionDecision.limit((Long) reply.get(i) == 1, 0));
        }
        return false;
    }

    private boolean finishRoom(RedisBatcher.Call call, List<Object> numbers) {
        RoomKey key = call.commands().get(0).roomOrThrow();
        RoomReply reply = new RoomReply(numbers, key.rules());
        Snapshot room = reply.room();
        if (reply.late()) {
            roomCache.clock(key, room.now(), call.sentAt(), Micros.of(clock));
            unknown(call.commands());
            return true;
        }
        if (roomCache.isForgotten(key, room.epoch(), call.sentAt())) {
            unknown(call.commands()); // another event loop has read of the new memory before this one read the response
            return false;
        }
        roomCache.learn(key.id(), reply.overrides());
        if (roomCache.note(key, room, reply.nodes(), call.sentAt(), Micros.of(clock))) {
            knowledge.forgotten(key, room.epoch());
        }
        for (RoomCommand command : call.commands()) {
            command.response().accept(reply.decision(room));
        }
        return false;
    }

    private boolean finishLimits(RedisBatcher.Call call, List<Object> numbers) {
        roomCache.clock((Long) numbers.get(0), call.sentAt());
        if ((Long) numbers.get(1) == 1) {
            unknown(call.commands());
            return true;
        }
        for (int i = 0; i < call.commands().size(); i++) {
            boolean allowed = (Long) numbers.get(2 + 2 * i) == 1;
            call.commands().get(i).response().accept(AdmissionDecision.limit(allowed, (Long) numbers.get(3 + 2 * i)));
        }
        return false;
    }

    private static void unknown(List<RoomCommand> commands) {
        for (RoomCommand command : commands) {
            command.response().accept(AdmissionDecision.unknown(RETRY));
        }
    }
}
