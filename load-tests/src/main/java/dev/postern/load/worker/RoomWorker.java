package dev.postern.load.worker;

import dev.postern.core.config.RedisSettings;
import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.redis.RedisRoomStore;
import dev.postern.ratelimit.redis.RedisStoreSettings;
import dev.postern.ratelimit.store.PassCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Room worker: takes decisions of the gateway's own waiting rooms in Redis as fast as one event loop can over one
 * connection. Argument: Redis' port. A question is {@code waiting}, {@code recorded} or {@code admitted}, the
 * size of the room, and {@code fill} or the number of seconds for which its sessions send visits; its response is
 * {@link Decisions}.
 */
public final class RoomWorker {
    private static final int VISITS = 1 << 17;
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 1_000_000;

    private final RedisRoomStore store;
    private final EventLoop loop;
    private final MeterRegistry registry;
    private int turn;

    private RoomWorker(RedisRoomStore store, EventLoop loop, MeterRegistry registry) {
        this.store = store;
        this.loop = loop;
        this.registry = registry;
    }

    public static void main(String... arguments) throws IOException {
        EventLoopGroup group = Loops.one();
        MeterRegistry registry = new SimpleMeterRegistry();
        InstantSource clock = InstantSource.system();
        // The deadlines are never exceeded: a response that is not the expected one ends the measurement.
        RedisSettings redis =
                RedisSettings.of("redis://127.0.0.1:" + arguments[0], false).with(Duration.ofSeconds(5));
        RedisStoreSettings settings = new RedisStoreSettings(redis, "bench", 1);
        try (MemoryRoomStore local = new MemoryRoomStore(group, clock);
                RedisRoomStore store = new RedisRoomStore(settings, group, clock, registry, new PassCache(), local)) {
            RoomWorker worker = new RoomWorker(store, group.next(), registry);
            Worker.serve(worker::response);
        } finally {
            group.shutdownGracefully();
        }
    }

    private String response(String question) {
        String[] words = question.split(" ");
        RoomSessions sessions = RoomSessions.of(words);
        VisitLoop visits = new VisitLoop(store, sessions.key(), loop);
        Kind expected = sessions.kind();
        if (words[2].equals("fill")) {
            first(sessions, visits);
            return decisions(() -> visits.run(
                            expected,
                            IntStream.range(0, sessions.size())
                                    .mapToObj(sessions::enter)
                                    .iterator()))
                    .line();
        }
        List<AdmissionRequest> repeated =
                sessions.again(VISITS, store.known(sessions.key()).epoch(), turn++);
        return decisions(() -> visits.run(expected, new Repeated<>(repeated, Double.parseDouble(words[2]))))
                .line();
    }

    /** Retries the first visit, because a room on a new server admits no session until each node has sent its state. */
    private void first(RoomSessions sessions, VisitLoop visits) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!store.healthy() || visits.ask(sessions.first()).kind() != Kind.ADMITTED) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("first session: not admitted (expected: admitted to an empty room)");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Decisions decisions(LongSupplier work) {
        long trips = trips();
        AtomicLong count = new AtomicLong();
        Cost cost = Cost.of(() -> {
            count.set(work.getAsLong());
            return count.get();
        });
        return new Decisions(count.get(), trips() - trips, cost);
    }

    private long trips() {
        return registry.find("postern.room.call").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }
}
