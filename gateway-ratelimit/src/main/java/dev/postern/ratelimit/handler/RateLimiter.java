package dev.postern.ratelimit.handler;

import dev.postern.core.config.Rate;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdaptiveConcurrencyLimit;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rate limiter: one configured limit with its store and its counters. Thread-safe. */
public final class RateLimiter {

    /** Reason of refusals of a session, or of an admitted one, beyond its own rate. */
    static final String SESSION_RATE = "session-rate";

    private final RateLimitRule rule;
    private final @Nullable String template;
    private final RoomStore store;
    private final @Nullable Gcra rate;
    private final @Nullable Gcra perSession;
    private final @Nullable RoomKey one;
    private final @Nullable AdaptiveConcurrencyLimit concurrencyLimit;
    private final @Nullable WaitingRoomResponse responses;
    private final @Nullable Bypass bypass;
    private final Map<AdmissionDecision.Kind, Counter> decisions = new EnumMap<>(AdmissionDecision.Kind.class);
    private final Counter held;
    private volatile boolean retired;

    /** @param template HTML of the waiting page, or null for the built-in page */
    public RateLimiter(RateLimitRule rule, @Nullable String template, RoomStore store, MeterRegistry registry) {
        this.rule = rule;
        this.template = template;
        this.store = store;
        FairQueueSettings settings = rule.fairQueue();
        one = settings == null ? null : new RoomKey(rule.name(), rule.name(), rule.rules());
        concurrencyLimit = settings == null || !settings.activeSessions().auto()
                ? null
                : new AdaptiveConcurrencyLimit(
                        settings.auto().min(), settings.auto().max());
        responses = settings == null ? null : new WaitingRoomResponse(template, settings.page());
        bypass = settings == null ? null : Bypass.of(settings);
        perSession = settings == null || settings.perSessionRate().isNone()
                ? null
                : settings.perSessionRate().gcra(settings.perSessionRate().count());
        rate = rule.rate() == null ? rateOfSessions(settings) : rule.gcra();
        for (AdmissionDecision.Kind kind : AdmissionDecision.Kind.values()) {
            String label = kind.name().toLowerCase(Locale.ROOT);
            decisions.put(kind, Meters.ROOM_DECISIONS.counter(registry, rule.name(), label));
        }
        held = Meters.ROOM_DECISIONS.counter(registry, rule.name(), "held");
    }

    public RateLimitRule rule() {
        return rule;
    }

    /** Returns whether a limiter of that rule and page would be equal to this one. */
    public boolean matches(RateLimitRule other, @Nullable String otherTemplate) {
        return rule.equals(other) && Objects.equals(template, otherTemplate);
    }

    /** Marks this limiter as replaced or removed by another configuration. */
    public void retire() {
        retired = true;
    }

    boolean retired() {
        return retired;
    }

    public RoomStore store() {
        return store;
    }

    /**
     * Returns the rate of requests that are counted and not admitted as sessions, such as preflights. In a room without a rate, it is that
     * of all sessions together; null if they have none.
     */
    @Nullable
    Gcra rate() {
        return rate;
    }

    private static @Nullable Gcra rateOfSessions(@Nullable FairQueueSettings room) {
        if (room == null || room.perSessionRate().isNone()) {
            return null;
        }
        Rate each = room.perSessionRate();
        long sessions = room.activeSessions().auto()
                ? room.auto().max()
                : room.activeSessions().count();
        return new Rate(each.count() * sessions, each.period()).gcra();
    }

    /** Returns the rate of an admitted session, or null for none; the burst is one period of the rate. */
    @Nullable
    Gcra perSession() {
        return perSession;
    }

    public boolean hasRoom() {
        return one != null;
    }

    /** Returns the settings of the fair queue; expects that there is one. */
    FairQueueSettings settings() {
        return Objects.requireNonNull(rule.fairQueue(), rule.name());
    }

    /** Returns the bypass of the fair queue; expects that there is a fair queue. */
    Bypass bypass() {
        return Objects.requireNonNull(bypass, rule.name());
    }

    /** Returns the responses to waiting sessions; expects that there is a fair queue. */
    WaitingRoomResponse responses() {
        return Objects.requireNonNull(responses, rule.name());
    }

    /** Returns the room with the id, which is the limit's name or begins with it. */
    public RoomKey room(String id) {
        RoomKey shared = Objects.requireNonNull(one, rule.name());
        AdaptiveConcurrencyLimit chosen = concurrencyLimit;
        RoomRules rules = chosen == null ? shared.rules() : shared.rules().sessions(chosen.value());
        return chosen == null && id.equals(shared.id()) ? shared : new RoomKey(shared.limit(), id, rules);
    }

    /** Returns the adaptive limit of active sessions, or null if the limit is fixed. */
    public @Nullable AdaptiveConcurrencyLimit concurrencyLimit() {
        return concurrencyLimit;
    }

    /** Records the response time of the upstream for {@link #concurrencyLimit} when the exchange ends. */
    void measure(Exchange exchange) {
        AdaptiveConcurrencyLimit chosen = concurrencyLimit;
        if (chosen != null) {
            exchange.whenEnded(ended -> {
                Timeline timeline = ended.timeline();
                if (timeline.nanos(StageName.RESPOND) > 0) {
                    chosen.responded((timeline.nanos(StageName.CONNECT) + timeline.nanos(StageName.RESPOND)) / 1000);
                }
            });
        }
    }

    void count(AdmissionDecision.Kind kind) {
        Counter counter = decisions.get(kind);
        if (counter != null) {
            counter.increment();
        }
    }

    /** Counts a request with a cached pass, which needed no call to the store. */
    void countHeld() {
        held.increment();
    }
}
