package dev.postern.app.admin.endpoint;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.core.config.Kebab;
import dev.postern.ratelimit.RateLimits;
import dev.postern.ratelimit.handler.RateLimiter;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomState;
import dev.postern.ratelimit.store.RoomStore.Controlled;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Endpoint that lists the rooms and overrides settings of a room in use. Thread-safe. */
final class RoomsEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(RoomsEndpoint.class);
    private static final int RESPONSE_SECONDS = 5;
    private static final int SHOWN_AT_ONCE = 20;
    private static final long MICROS = 1_000_000;

    private final RateLimits limits;

    RoomsEndpoint(RateLimits limits) {
        this.limits = limits;
    }

    /** Returns the rooms in use, and those that every limit has from the start, so that one can be paused before its first client. */
    List<Map<String, Object>> rooms() {
        List<RoomState> all = new ArrayList<>(limits.state());
        Set<String> known = all.stream().map(RoomState::id).collect(Collectors.toSet());
        for (RateLimiter limiter : limits.limiters().withRooms()) {
            FairQueueSettings queue = limiter.rule().fairQueue();
            String name = limiter.rule().name();
            if (queue != null && queue.roomPer() == FairQueueSettings.RoomPer.RULE && !known.contains(name)) {
                all.add(RoomState.empty(name, RoomOverrides.NONE));
            }
        }
        return all.stream()
                .sorted(Comparator.comparing(RoomState::id))
                .map(this::room)
                .toList();
    }

    /** Returns the rooms with the most waiting clients, and the number of rooms. */
    Map<String, Object> busiest() {
        List<RoomState> all = limits.state();
        List<Map<String, Object>> busiest = all.stream()
                .sorted(Comparator.comparingLong(RoomState::waiting)
                        .thenComparingLong(RoomState::active)
                        .reversed()
                        .thenComparing(RoomState::id))
                .limit(SHOWN_AT_ONCE)
                .map(this::room)
                .toList();
        return Map.of("all", all.size(), "busiest", busiest);
    }

    /** Overrides settings of {@code /rooms/ROOM} by a JSON object; a null value restores the configured setting. */
    AdminEndpointTable.Changed change(List<String> words, String body) {
        RateLimitRule rule = words.size() == 1 ? limits.limitOf(words.get(0)) : null;
        if (rule == null) {
            return new AdminEndpointTable.Changed(
                    404, Map.of("expected", "/rooms/ROOM, one of /rooms or the name of a limit with a fair queue"));
        }
        RoomOverrideRequest request = RoomOverrideRequest.read(body, rule);
        return request.faults().isEmpty()
                ? apply(words.get(0), request.change())
                : new AdminEndpointTable.Changed(400, Map.of("faults", request.faults()));
    }

    private AdminEndpointTable.Changed apply(String room, UnaryOperator<RoomOverrides> change) {
        try {
            Controlled now = limits.control(room, change).toCompletableFuture().get(RESPONSE_SECONDS, TimeUnit.SECONDS);
            Map<String, Object> received = new LinkedHashMap<>();
            received.put("room", room);
            received.put("controls", controls(now.overrides()));
            received.put("stored", now.stored());
            LOG.info("room {}: {}{}", room, controls(now.overrides()), now.stored() ? "" : ", not stored yet");
            // 202: Redis is unreachable. This gateway stores the overrides as soon as Redis responds; until then the
            // other gateways don't
            // know them.
            return new AdminEndpointTable.Changed(now.stored() ? 200 : 202, received);
        } catch (ExecutionException | TimeoutException e) {
            return new AdminEndpointTable.Changed(503, Map.of("problem", "the room's event loop did not answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new AdminEndpointTable.Changed(503, Map.of("problem", "the gateway is stopping"));
        }
    }

    private Map<String, Object> room(RoomState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("room", state.id());
        json.put("limit", state.limit());
        json.put("waiting", state.waiting());
        json.put("active", state.active());
        RoomRules rules = limits.rules(state.id());
        if (rules != null) { // null: the limit was removed a moment ago
            json.put("bound", state.overrides().appliedTo(rules).active());
            json.put("max-waiting", rules.maxWaiting());
        }
        json.put("controls", controls(state.overrides()));
        return json;
    }

    /** Returns the overrides as JSON; only the mode where no setting is overridden. */
    private static Map<String, Object> controls(RoomOverrides overrides) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", Kebab.ofConstant(overrides.mode()));
        if (overrides.active() > 0) {
            json.put("active-sessions", overrides.active());
        }
        if (overrides.interval() > 0) {
            json.put("rate", rate(overrides.interval()));
        }
        if (overrides.opens() > 0) {
            json.put("opens-at", instant(overrides.opens()));
        }
        if (overrides.stamp() > 0) {
            json.put("since", instant(overrides.stamp()));
        }
        return json;
    }

    /** Formats the rate in the smallest unit in which it is at least one. */
    private static String rate(long interval) {
        if (interval <= MICROS) {
            return Math.round((double) MICROS / interval) + "/s";
        }
        return interval <= 60 * MICROS
                ? Math.round(60.0 * MICROS / interval) + "/m"
                : Math.round(3600.0 * MICROS / interval) + "/h";
    }

    private static String instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
    }
}
