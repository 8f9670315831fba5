package dev.postern.ratelimit;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.crypto.Prf;
import dev.postern.core.crypto.SealedBox;
import dev.postern.core.dns.AddressOwnerLookup;
import dev.postern.core.dns.NameServers;
import dev.postern.core.metrics.Meters;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.rate.TickerClock;
import dev.postern.core.route.InternalEndpoint;
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
import dev.postern.ratelimit.redis.RedisStoreSettings;
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
 * Rate limits, rooms and the waiting room: one stage of the pipeline and one internal path. The API of this module. Thread-safe.
 */
public final class RateLimits implements AutoCloseable {

    /** Path prefix below {@link InternalEndpoint#PREFIX} that {@link #rooms} serves. */
    public static final String ROOMS_PATH = "room/";

    private static final List<Meters> GAUGES = List.of(Meters.ROOM_WAITING, Meters.ROOM_ACTIVE, Meters.ROOM_BOUND);

    private final RoomStore memory;
    private final Environment environment;
    /** Time of this node, which no program can set: of cached passes, holds and streams. */
    private final InstantSource clock;

    private final PassCache cache = new PassCache();
    private final AdmissionStage admission;
    private final RoomStatusEndpoint rooms;
    private final PassRenewal renewal;
    private final Future<?> stepping;
    private volatile @Nullable RoomStore redis;
    private volatile RateLimiters limiters;
    private volatile RingKeys keys;

    private RateLimits(Environment environment) {
        this.environment = environment;
        keys = RingKeys.of(environment.ring());
        EventLoopGroup loops = environment.loops();
        clock = new TickerClock(loops.ticker(), environment.clock().instant());
        memory = new MemoryRoomStore(loops, environment.clock());
        limiters = new RateLimiters(List.of());
        AdmissionContext context = new AdmissionContext(
                new RateKeyExtractor(() -> keys.limits()),
                new TicketCookie(() -> keys.tickets()),
                cache,
                new SubresourceHold(),
                clock,
                this::shared);
        admission = new AdmissionStage(context, new Crawlers(environment.lookup(), clock));
        rooms = new RoomStatusEndpoint(context);
        renewal = new PassRenewal(loops.next(), context, () -> limiters);
        stepping = loops.next().scheduleAtFixedRate(this::step, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Environment: the objects that the module shares with the rest of the process.
     *
     * @param ring keys that all replicas share, at first
     * @param loops event loops of the listeners
     * @param lookup finds the owner of an address, for crawlers
     * @param nameServers for the name of a Redis; null for those of the system
     */
    public record Environment(
            KeyRing ring,
            MeterRegistry registry,
            InstantSource clock,
            EventLoopGroup loops,
            AddressOwnerLookup lookup,
            @Nullable NameServers nameServers) {

        /** Creates an environment in which the name of a Redis is asked of the name servers of the system. */
        public Environment(
                KeyRing ring,
                MeterRegistry registry,
                InstantSource clock,
                EventLoopGroup loops,
                AddressOwnerLookup lookup) {
            this(ring, registry, clock, loops, lookup, null);
        }
    }

    /** Keys of a ring for the uses of this module. */
    private record RingKeys(KeyRing ring, Prf limits, SealedBox tickets) {

        static RingKeys of(KeyRing ring) {
            return new RingKeys(ring, ring.prf("limit-key"), ring.seal("ticket"));
        }
    }

    /**
     * Puts another ring into effect: tickets that one of its secrets sealed stay valid. Keys of limits and of rooms for each host or route are
     * those of its first secret. Can't fail.
     */
    public void ring(KeyRing next) {
        if (!next.equals(keys.ring())) {
            keys = RingKeys.of(next);
        }
    }

    /** Opens the stores. If Redis is unavailable, the module connects in the background. */
    public static RateLimits open(RateLimitSettings settings, Environment environment) {
        RateLimits limits = new RateLimits(environment);
        limits.take(limits.prepare(settings));
        return limits;
    }

    /** Creates the limiters of new settings and reuses those whose rule and page are unchanged. They take effect only by {@link #take}. */
    public RateLimiters prepare(RateLimitSettings settings) {
        if (settings.needsRedis() && redis == null) {
            redis = redis(settings);
        }
        return new RateLimiters(settings.limits().stream()
                .map(rule -> limiter(rule, settings.pages().get(rule.name())))
                .toList());
    }

    private RateLimiter limiter(RateLimitRule rule, @Nullable String template) {
        RateLimiter known = limiters.find(rule.name());
        return known != null && known.matches(rule, template)
                ? known
                : new RateLimiter(rule, template, store(rule), environment.registry());
    }

    /** Puts the limiters into effect, for waiting sessions too. Sessions keep their rooms, places and passes. */
    public synchronized void take(RateLimiters now) {
        RateLimiters previous = limiters;
        limiters = now;
        MeterRegistry registry = environment.registry();
        for (RateLimiter removed : previous.all()) {
            String name = removed.rule().name();
            RateLimiter next = now.find(name);
            if (removed.equals(next)) {
                continue;
            }
            removed.retire();
            GAUGES.forEach(gauge -> gauge.remove(registry, name));
            if (next == null) {
                Meters.ROOM_DECISIONS.remove(registry, name);
            }
        }
        now.withRooms().stream()
                .filter(limiter -> !limiter.equals(previous.find(limiter.rule().name())))
                .forEach(limiter -> gauges(limiter, registry));
        rules(memory);
        RoomStore shared = redis;
        if (shared != null) {
            rules(shared);
        }
    }

    private void rules(RoomStore store) {
        store.rules(id -> {
            RateLimiter limiter = limiters.ofRoom(id);
            return limiter == null || limiter.store() != store ? null : limiter.room(id);
        });
    }

    /** Returns the limiters in effect. */
    public RateLimiters limiters() {
        return limiters;
    }

    /** Returns the stage <i>admit</i>, which all connections share. */
    public ExchangeStage admission() {
        return admission;
    }

    /** Returns the endpoint that serves {@code /.postern/room/NAME}. */
    public InternalEndpoint rooms() {
        return rooms;
    }

    /** Returns the last known state of all rooms on this node. */
    public List<RoomState> state() {
        List<RoomState> states = new ArrayList<>(memory.rooms());
        RoomStore shared = redis;
        if (shared != null) {
            states.addAll(shared.rooms());
        }
        return states;
    }

    /** Returns the rule of the limit to which a room with the id belongs, even if the room does not exist; null when there is none. */
    public @Nullable RateLimitRule limitOf(String roomId) {
        RateLimiter limiter = limiters.ofRoom(roomId);
        return limiter == null ? null : limiter.rule();
    }

    /** Returns the rules of a room without overrides, even if the room does not exist; null when no limit has one with the id. */
    public @Nullable RoomRules rules(String roomId) {
        RateLimiter limiter = limiters.ofRoom(roomId);
        return limiter == null ? null : limiter.room(roomId).rules();
    }

    /**
     * Changes the operator's overrides of a room; from any thread.
     *
     * @param change returns the new overrides from the current ones
     * @throws IllegalArgumentException when {@link #limitOf} knows no such room
     */
    public CompletionStage<RoomStore.Controlled> control(String roomId, UnaryOperator<RoomOverrides> change) {
        RateLimiter limiter = limiters.ofRoom(roomId);
        if (limiter == null) {
            throw new IllegalArgumentException("room: " + roomId + " (expected: one of /rooms, or a rate-limits.name)");
        }
        CompletableFuture<RoomStore.Controlled> future = new CompletableFuture<>();
        EventLoop loop = environment.loops().next();
        loop.execute(() -> limiter.store().control(limiter.room(roomId), change, loop, future::complete));
        return future;
    }

    /** Returns whether every store in use responds. */
    public boolean healthy() {
        RoomStore shared = redis;
        return shared == null || shared.healthy();
    }

    /** Returns the store servers by address, with a short text of the state of each. */
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

    private RoomStore shared() {
        RoomStore shared = redis;
        return shared == null ? memory : shared;
    }

    private RoomStore store(RateLimitRule rule) {
        RoomStore shared = redis;
        return rule.store() == RateLimitRule.Store.REDIS && shared != null ? shared : memory;
    }

    private RoomStore redis(RateLimitSettings settings) {
        RedisStoreSettings shared = new RedisStoreSettings(
                settings.redis(), settings.namespace(), settings.replicas(), environment.nameServers());
        return new RedisRoomStore(shared, environment.loops(), clock, environment.registry(), cache, memory);
    }

    private void gauges(RateLimiter limiter, MeterRegistry registry) {
        RateLimitRule rule = limiter.rule();
        Meters.ROOM_WAITING.gauge(registry, () -> sum(rule, RoomState::waiting), rule.name());
        Meters.ROOM_ACTIVE.gauge(registry, () -> sum(rule, RoomState::active), rule.name());
        Meters.ROOM_BOUND.gauge(registry, () -> bound(limiter), rule.name());
    }

    /** Returns the sum of the session limits of all known rooms of the limiter, with overrides; without rooms, the configured one. */
    private long bound(RateLimiter limiter) {
        RoomRules configured = limiter.room(limiter.rule().name()).rules();
        long known = sum(
                limiter.rule(), state -> state.overrides().appliedTo(configured).active());
        return known > 0 ? known : configured.active();
    }

    private void step() {
        for (RateLimiter limiter : limiters.withRooms()) {
            AdaptiveConcurrencyLimit concurrencyLimit = limiter.concurrencyLimit();
            if (concurrencyLimit != null) {
                concurrencyLimit.step(sum(limiter.rule(), RoomState::active));
            }
        }
    }

    private long sum(RateLimitRule rule, ToLongFunction<RoomState> number) {
        return state().stream()
                .filter(state -> state.limit().equals(rule.name()))
                .mapToLong(number)
                .sum();
    }
}
