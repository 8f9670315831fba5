package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.LimitLookup;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.ratelimit.store.RoomKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rate limiters of all configured limits, by name. Immutable. */
public final class RateLimiters implements LimitLookup {

    private final Map<String, RateLimiter> byName;

    public RateLimiters(List<RateLimiter> limiters) {
        byName = limiters.stream()
                .collect(Collectors.toUnmodifiableMap(limiter -> limiter.rule().name(), Function.identity()));
    }

    /** Returns the limiters that apply to the exchange from its start to its end. */
    static RateLimiters of(Exchange exchange) {
        return (RateLimiters) RoutingSnapshot.of(exchange).lookup();
    }

    public Collection<RateLimiter> all() {
        return byName.values();
    }

    public @Nullable RateLimiter find(String name) {
        return byName.get(name);
    }

    /** Returns the limiters with rooms. */
    public List<RateLimiter> withRooms() {
        return byName.values().stream().filter(RateLimiter::hasRoom).toList();
    }

    /** Returns the limiter of the room with the id, or null. */
    public @Nullable RateLimiter ofRoom(String id) {
        RateLimiter limiter = find(RoomKey.limitOf(id));
        return limiter != null && limiter.hasRoom() && RateKeyExtractor.names(limiter.rule(), limiter.settings(), id)
                ? limiter
                : null;
    }
}
