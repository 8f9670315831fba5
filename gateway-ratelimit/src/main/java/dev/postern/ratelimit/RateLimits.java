package dev.postern.ratelimit;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.metrics.Meters;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.transport.AddressOwnerLookup;
import dev.postern.ratelimit.handler.AdmissionContext;
import dev.postern.ratelimit.handler.AdmissionStage;
import dev.postern.ratelimit.handler.Crawlers;
import dev.postern.ratelimit.handler.PassRenewal;
import dev.postern.ratelimit.handler.RateKeyExtractor;
import dev.postern.ratelimit.handler.RateLimiter;
import dev.postern.ratelimit.handler.RateLimiters;
import dev.postern.ratelimit.handler.RoomStatusEndpoint;
import dev.postern.ratelimit.handler.SubresourceHold;
import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.queue.AdaptiveConcurrencyLimit;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.redis.RedisRoomStore;
import dev.postern.ratelimit.redis.RedisSettings;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.waiting.TicketCookie;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The module's entrance: limits, rooms and the waiting room as one stage of the pipeline and one path of our own. Thread-safe.
 */
public final class RateLimits implements AutoCloseable {

    /** The prefix below {@link InternalEndpoint#PREFIX} that {@link #rooms} serves. */
    public static final String ROOMS_PATH = "room/";

    private static final List<Meters> GAUGES = List.of(Meters.ROOM_WAITING, Meters.ROOM_ACTIVE, Meters.ROOM_BOUND);

    private final RoomStore memory;
    private final Environment environment;
    private final PassCache mirror = new PassCache();
    private final AdmissionStage admission;
    private final RoomStatusEndpoint rooms;
    private final PassRenewal renewal;
    private final Future<?> stepping;
    private volatile @Nullable RoomStore redis;
    private volatile RateLimiters gates;

    private RateLimits(Environment environment) {
        this.environment = environment;
        EventLoopGroup loops = environment.loops();
        InstantSource clock = environment.clock();
        memory = new MemoryRoomStore(loops, clock);
        gates = new RateLimiters(List.of());
        AdmissionContext tools = new AdmissionContext(
                new RateKeyExtractor(environment.ring().prf("limit-key")),
                new TicketCookie(environment.ring().seal("ticket")),
                mirror,
                new SubresourceHold(),
                clock);
        admission = new AdmissionStage(tools, new Crawlers(environment.owners(), clock));
        rooms = new RoomStatusEndpoint(tools);
        renewal = new PassRenewal(loops.next(), tools, () -> gates);
        stepping = loops.next().scheduleAtFixedRate(this::step, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * What the module is given by the process.
     *
     * @param ring that all replicas share
     * @param loops that serve the listeners
     * @param owners asked whose an address is
     */
    public record Environment(
            KeyRing ring,
            MeterRegistry registry,
            InstantSource clock,
            EventLoopGroup loops,
            AddressOwnerLookup owners) {}

    /** Opens the stores; Redis may be away, then it is looked for in the background. */
    public static RateLimits open(RateLimitSettings settings, Environment environment) {
        RateLimits limits = new RateLimits(environment);
        limits.take(limits.prepare(settings));
        return limits;
    }

    /** The limits of other settings, of which those that stay as they are stay the same; nothing holds of it before {@link #take}. */
    public RateLimiters prepare(RateLimitSettings settings) {
        if (settings.needsRedis() && redis == null) {
            redis = redis(settings, environment, mirror, memory);
        }
        return new RateLimiters(settings.limits().stream().map(this::gate).toList());
    }

    private RateLimiter gate(RateLimitRule limit) {
        RateLimiter known = gates.find(limit.name());
        return known != null && known.limit().equals(limit)
                ? known
                : new RateLimiter(limit, store(limit), environment.registry());
    }

    /** These limits hold from now on, for those who wait already, too. Whoever is in a room stays there. */
    public synchronized void take(RateLimiters now) {
        RateLimiters before = gates;
        gates = now;
        MeterRegistry registry = environment.registry();
        for (RateLimiter gone : before.all()) {
            String name = gone.limit().name();
            RateLimiter next = now.find(name);
            if (gone.equals(next)) {
                continue;
            }
            gone.retire();
            GAUGES.forEach(gauge -> gauge.remove(registry, name));
            if (next == null) {
                Meters.ROOM_DECISIONS.remove(registry, name);
            }
        }
        now.withRooms().stream()
                .filter(gate -> !gate.equals(before.find(gate.limit().name())))
                .forEach(gate -> gauges(gate, registry));
        rules(memory);
        RoomStore shared = redis;
        if (shared != null) {
            rules(shared);
        }
    }

    private void rules(RoomStore store) {
        store.rules(id -> {
            RateLimiter gate = gates.ofRoom(id);
            return gate == null || gate.store() != store ? null : gate.room(id);
        });
    }

    /** The limits in force. */
    public RateLimiters gates() {
        return gates;
    }

    /** The stage <i>admit</i>, shared by all connections. */
    public ExchangeStage admission() {
        return admission;
    }

    /** Serves {@code /.postern/room/NAME}. */
    public InternalEndpoint rooms() {
        return rooms;
    }

    /** All rooms as this node last saw them. */
    public List<RoomState> state() {
        List<RoomState> states = new ArrayList<>(memory.rooms());
        RoomStore shared = redis;
        if (shared != null) {
            states.addAll(shared.rooms());
        }
        return states;
    }

    /** The limit to which a room of that id belongs or would belong; null when there is none. */
    public @Nullable RateLimitRule limitOf(String roomId) {
        RateLimiter gate = gates.ofRoom(roomId);
        return gate == null ? null : gate.limit();
    }

    /**
     * Changes what an operator wants of a room; from any thread.
     *
     * @param change of what is wanted so far
     * @throws IllegalArgumentException when {@link #limitOf} knows no such room
     */
    public CompletionStage<RoomStore.Controlled> control(String roomId, UnaryOperator<RoomOverrides> change) {
        RateLimiter gate = gates.ofRoom(roomId);
        if (gate == null) {
            throw new IllegalArgumentException("room: " + roomId + " (expected: one of /rooms, or a rate-limits.name)");
        }
        CompletableFuture<RoomStore.Controlled> future = new CompletableFuture<>();
        EventLoop loop = environment.loops().next();
        loop.execute(() -> gate.store().control(gate.room(roomId), change, loop, future::complete));
        return future;
    }

    /** Whether every store that is needed responses now. */
    public boolean healthy() {
        RoomStore shared = redis;
        return shared == null || shared.healthy();
    }

    /** The servers that rooms are kept in, by their addresses, and the state of each in a few words. */
    public Map<String, String> stores() {
        RoomStore shared = redis;
        return shared == null ? Map.of() : shared.stores();
    }

    @Override
    public void close() {
        stepping.cancel(false);
        renewal.close();
        memory.close();
        RoomStore shared = redis;
        if (shared != null) {
            shared.close();
        }
    }

    private RoomStore store(RateLimitRule limit) {
        RoomStore shared = redis;
        return limit.shared() && shared != null ? shared : memory;
    }

    private static RoomStore redis(
            RateLimitSettings settings, Environment environment, PassCache mirror, RoomStore local) {
        RedisSettings redis = new RedisSettings(
                settings.redis().uri(),
                settings.redis().cluster(),
                settings.redis().deadline(),
                settings.namespace(),
                settings.replicas());
        return new RedisRoomStore(
                redis, environment.loops(), environment.clock(), environment.registry(), mirror, local);
    }

    private void gauges(RateLimiter gate, MeterRegistry registry) {
        RateLimitRule limit = gate.limit();
        Meters.ROOM_WAITING.gauge(registry, () -> sum(limit, RoomState::waiting), limit.name());
        Meters.ROOM_ACTIVE.gauge(registry, () -> sum(limit, RoomState::active), limit.name());
        Meters.ROOM_BOUND.gauge(registry, () -> bound(gate), limit.name());
    }

    /** Of all rooms of the limit that are known, as an operator wants it; of the one to come, when there is none. */
    private long bound(RateLimiter gate) {
        RoomRules configured = gate.room(gate.limit().name()).rules();
        long known =
                sum(gate.limit(), state -> state.controls().over(configured).active());
        return known > 0 ? known : configured.active();
    }

    private void step() {
        for (RateLimiter gate : gates.withRooms()) {
            AdaptiveConcurrencyLimit bound = gate.bound();
            if (bound != null) {
                bound.step(sum(gate.limit(), RoomState::active));
            }
        }
    }

    private long sum(RateLimitRule limit, ToLongFunction<RoomState> number) {
        return state().stream()
                .filter(state -> state.limit().equals(limit.name()))
                .mapToLong(number)
                .sum();
    }
}
