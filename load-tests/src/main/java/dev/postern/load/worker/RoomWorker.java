package dev.postern.load.worker;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.TestRedis;
import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.redis.RedisRoomStore;
import dev.postern.ratelimit.redis.RedisStoreSettings;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Room worker: takes decisions of the gateway's own waiting rooms in Redis as fast as one event loop can over one
 * connection. Argument: Redis' port. A question is {@code waiting}, {@code recorded} or {@code admitted}, the
 * size of the room, and {@code fill} or the number of seconds for which its sessions send visits; its response is
 * {@link Decisions}.
 */
public final class RoomWorker implements Worker.Task {
    /** More than the gateway's batches hold, so that one batch is on its way while another one is decided. */
    static final int AT_ONCE = 512;

    private static final int VISITS = 1 << 17;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    private final RedisRoomStore store;
    private final EventLoop loop = Worker.loop();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private int turn;

    RoomWorker(String... port) {
        InstantSource clock = InstantSource.system();
        // The deadlines are never exceeded: a response that is not the expected one ends the measurement.
        RedisSettings redis = TestRedis.of("redis://127.0.0.1:" + port[0], Map.of("deadline", Duration.ofSeconds(5)));
        store = new RedisRoomStore(
                new RedisStoreSettings(redis, "bench", 1),
                loop,
                clock,
                registry,
                new PassCache(),
                new MemoryRoomStore(loop, clock));
    }

    @Override
    public Decisions response(String... words) {
        RoomSessions sessions = RoomSessions.of(words);
        if (words[2].equals("fill")) {
            first(sessions);
            return decisions(sessions, number -> number < sessions.size() ? sessions.enter(number) : null);
        }
        List<AdmissionRequest> repeated =
                sessions.again(VISITS, store.known(sessions.key()).epoch(), turn++);
        double seconds = Double.parseDouble(words[2]);
        long end = System.nanoTime() + (long) (seconds * 1e9);
        return decisions(sessions, number -> System.nanoTime() < end ? repeated.get(number % VISITS) : null);
    }

    /** Retries the first visit, because a room on a new server admits no session until each node has sent its state. */
    private void first(RoomSessions sessions) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!store.healthy() || ask(sessions.key(), sessions.first()).kind() != Kind.ADMITTED) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("first session: not admitted (expected: admitted to an empty room)");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private AdmissionDecision ask(RoomKey room, AdmissionRequest request) {
        CompletableFuture<AdmissionDecision> response = new CompletableFuture<>();
        loop.execute(() -> store.decide(room, request, loop, response::complete));
        return ClosedLoop.get(response);
    }

    /** @param visits by their number; null after the last one */
    private Decisions decisions(RoomSessions sessions, IntFunction<@Nullable AdmissionRequest> visits) {
        long tripsBefore = trips();
        Visits all = new Visits(sessions, visits);
        return Decisions.of(() -> new ClosedLoop(all).run(loop, AT_ONCE), count -> trips() - tripsBefore);
    }

    private final class Visits implements ClosedLoop.Operations {
        private final RoomKey room;
        private final Kind expected;
        private final IntFunction<@Nullable AdmissionRequest> visits;
        private int next;

        Visits(RoomSessions sessions, IntFunction<@Nullable AdmissionRequest> visits) {
            this.room = sessions.key();
            this.expected = sessions.kind();
            this.visits = visits;
        }

        @Override
        public boolean start(ClosedLoop visiting) {
            AdmissionRequest visit = visits.apply(next++);
            if (visit == null) {
                return false;
            }
            store.decide(room, visit, loop, decision -> {
                if (decision.kind() == expected) {
                    visiting.responded();
                } else {
                    visiting.fail("visit: " + decision.kind() + " (expected: " + expected + ")");
                }
            });
            return true;
        }
    }

    private long trips() {
        return registry.find("postern.room.call").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
