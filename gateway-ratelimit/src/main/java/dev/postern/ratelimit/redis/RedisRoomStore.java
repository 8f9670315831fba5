package dev.postern.ratelimit.redis;

import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.loop.EventLoopLocal;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionDecision.Snapshot;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomClock;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room store in Redis, shared by all replicas.
 *
 * <p>While Redis is unavailable or slow, requests to rooms get UNKNOWN within the deadline, and limits without rooms are decided by this
 * node's share of the rate. Each call carries the time up to which this node has reported, and silence counts in the room only up to this
 * time. After an outage this node reports which passes are in use and which sessions were present. A room that lost its memory admits no
 * session until all nodes have reported (docs/adr/0026).
 */
public final class RedisRoomStore implements RoomStore {

    private static final Logger LOG = LoggerFactory.getLogger(RedisRoomStore.class);
    private static final Duration LOSS_LOG = Duration.ofSeconds(10);
    private static final long PERIOD_MILLIS = 250;

    /** Maximum number of rooms without recent calls that this node calls in a period. */
    private static final int MAX_QUIET = 64;

    private final RedisStoreSettings settings;
    private final InstantSource clock;
    private final RoomStore local;
    private final RedisRoomConnection connection;
    private final RoomCache roomCache = new RoomCache(this::lost);
    private final NodeKnowledge knowledge;
    private final RoomRecovery recovery;
    private final EventLoopLocal<RedisBatcher> batchers;
    private final RoomScriptCodec codec;
    private final EventLoop home;
    private final Future<?> listening;
    private final long deadlineMicros;
    private final Counter losses;
    private final LogRateLimiter lossLog;

    /**
     * @param clock time of this node, which no program can set: it is the witness of the rooms' time ({@link RoomClock})
     * @param cache passes that this node knows
     * @param local decides limits without rooms while Redis is unavailable; not closed by this store
     */
    public RedisRoomStore(
            RedisStoreSettings settings,
            EventLoopGroup loops,
            InstantSource clock,
            MeterRegistry registry,
            PassCache cache,
            RoomStore local) {
        this.settings = settings;
        this.clock = clock;
        this.local = local;
        this.connection = new RedisRoomConnection(settings, loops.ticker(), registry);
        long deadline = settings.redis().deadline().toNanos();
        this.deadlineMicros = deadline / 1000;
        this.losses = Meters.ROOM_EVENTS.counter(registry, "memory-lost");
        this.lossLog = new LogRateLimiter(LOSS_LOG, loops.ticker());
        this.knowledge = new NodeKnowledge(cache, clock);
        this.codec = new RoomScriptCodec(settings, roomCache, clock, registry, new ReportedKnowledge());
        this.batchers = new EventLoopLocal<>(loop -> new RedisBatcher(loop, connection, codec, deadline));
        this.home = loops.next();
        this.recovery = new RoomRecovery((room, request, response) -> decide(room, request, home, response));
        this.listening = home.scheduleAtFixedRate(this::listen, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void decide(RoomKey room, AdmissionRequest request, EventLoop loop, Consumer<AdmissionDecision> response) {
        long askedAt = Micros.of(clock);
        Consumer<AdmissionDecision> noting = decision -> {
            knowledge.note(room, request, decision, askedAt);
            response.accept(decision);
        };
        ask(RoomCommand.admission(room, request, noting), loop);
    }

    @Override
    public void limit(String key, Gcra rate, EventLoop loop, Consumer<AdmissionDecision> response) {
        Gcra share =
                new Gcra(rate.intervalMicros() * settings.replicas(), rate.toleranceMicros() * settings.replicas());
        Consumer<AdmissionDecision> orLocal = decision -> {
            if (decision.kind() == AdmissionDecision.Kind.UNKNOWN) {
                local.limit(key, share, loop, response);
            } else {
                response.accept(decision);
            }
        };
        ask(RoomCommand.limit(key, rate, orLocal), loop);
    }

    @Override
    public void network(CachedPass pass, String network, EventLoop loop, Consumer<AdmissionDecision> response) {
        ask(RoomCommand.network(pass, network, Micros.of(clock), response), loop);
    }

    @Override
    public void revoke(RoomKey room, String session, EventLoop loop) {
        knowledge.forget(room, session);
        ask(RoomCommand.order(room, "REVOKE", session, decision -> {}), loop);
    }

    @Override
    public void control(
            RoomKey room, UnaryOperator<RoomOverrides> change, EventLoop loop, Consumer<Controlled> listener) {
        exchange(room, loop, before -> {
            roomCache.want(room, change, Micros.of(clock));
            exchange(room, loop, after -> {
                boolean stored = after.kind() != AdmissionDecision.Kind.UNKNOWN;
                listener.accept(new Controlled(roomCache.controls(room.id()), stored));
            });
        });
    }

    /** Reports to rooms without recent calls, so that they need not wait for this node, and to rooms with unreported places. */
    private void listen() {
        List<RoomKey> rooms = roomCache.all();
        knowledge.look(rooms);
        for (RoomKey room : roomCache.quiet(Micros.of(clock), MAX_QUIET)) {
            exchange(room, home, seen -> {});
        }
        if (connection.healthy()) {
            for (RoomKey room : rooms) {
                recovery.begin(room, () -> knowledge.unreported(room, roomClock(room)), () -> {});
            }
        }
    }

    /** Converts this node's clock to the room's, with an error towards the past: the room ignores a last request in the future. */
    private LongUnaryOperator roomClock(RoomKey room) {
        return instant -> roomCache.reached(room, instant, deadlineMicros);
    }

    private void lost(RoomKey room) {
        losses.increment();
        if (lossLog.tryAcquire()) {
            LOG.warn(
                    "Room {}: Redis {} lost its keys or one of them; no new session until the gateways have registered again",
                    room.id(),
                    connection.address());
        }
    }

    /** Exchanges overrides between the room and this node. */
    private void exchange(RoomKey room, EventLoop loop, Consumer<AdmissionDecision> response) {
        ask(RoomCommand.order(room, "LOOK", "", response), loop);
    }

    @Override
    public void rules(Function<String, @Nullable RoomKey> current) {
        roomCache.rules(current);
    }

    @Override
    public Snapshot known(RoomKey room) {
        return roomCache.room(room, Micros.of(clock));
    }

    @Override
    public List<RoomState> rooms() {
        return roomCache.states(Micros.of(clock));
    }

    @Override
    public boolean healthy() {
        return connection.healthy();
    }

    @Override
    public Map<String, String> stores() {
        return Map.of(connection.address(), connection.state());
    }

    @Override
    public void close() {
        listening.cancel(false);
        for (RoomKey room : roomCache.all()) {
            RedisBatcher.Call bye = codec.prepare(List.of(RoomCommand.order(room, "BYE", "", decision -> {})));
            connection.call(bye.script(), bye.keys(), bye.arguments(), reply -> {});
        }
        connection.flush();
        connection.close();
    }

    private void ask(RoomCommand command, EventLoop loop) {
        if (codec.begins()) {
            batchers.get(loop).send(command.on(loop));
        } else {
            command.response().accept(AdmissionDecision.unknown(RoomScriptCodec.RETRY));
        }
    }

    /** Knowledge that this node reports to rooms. */
    private final class ReportedKnowledge implements RoomScriptCodec.Knowledge {

        @Override
        public long until(String roomId) {
            return knowledge.reportedUntil(roomId);
        }

        @Override
        public void forgotten(RoomKey room, long epoch) {
            home.execute(() -> recovery.begin(room, () -> knowledge.all(room, roomClock(room)), () -> {
                roomCache.reported(room, epoch);
                exchange(room, home, seen -> {});
            }));
        }
    }
}
