package dev.postern.app.admin.endpoint;

import dev.postern.core.config.Kebab;
import dev.postern.core.config.Rate;
import dev.postern.ratelimit.queue.RoomMode;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Request of an operator to override settings of a room, read from JSON. A null value restores the configured setting.
 *
 * @param change applied to the overrides in force
 * @param faults all errors of the request, each with the expected value
 */
record RoomOverrideRequest(UnaryOperator<RoomOverrides> change, List<String> faults) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_ACTIVE = 1_000_000;
    private static final String INSTANT = "an instant such as 2027-01-31T18:00:00Z, now, or null";
    private static final Map<String, Part> PARTS = Map.of(
            "mode", RoomOverrideRequest::mode,
            "active-sessions", RoomOverrideRequest::activeSessions,
            "rate", RoomOverrideRequest::rate,
            "opens-at", RoomOverrideRequest::opensAt);
    private static final String KEYS = PARTS.keySet().stream().sorted().collect(Collectors.joining(", "));

    /** Reads one value; the message of its exception is the expected value. */
    private interface Part {

        UnaryOperator<RoomOverrides> read(JsonNode value, RateLimitRule rule);
    }

    static RoomOverrideRequest read(String body, RateLimitRule rule) {
        List<String> faults = new ArrayList<>();
        List<UnaryOperator<RoomOverrides>> changes = new ArrayList<>();
        try {
            JsonNode wanted = JSON.readTree(body);
            if (!wanted.isObject() || wanted.isEmpty()) {
                faults.add("body (expected: a JSON object with some of " + KEYS + ")");
            }
            for (Map.Entry<String, JsonNode> pair : wanted.properties()) {
                Part part = PARTS.get(pair.getKey());
                try {
                    changes.add(part == null ? unknown() : part.read(pair.getValue(), rule));
                } catch (IllegalArgumentException e) {
                    faults.add(pair.getKey() + ": " + pair.getValue() + " (expected: " + e.getMessage() + ")");
                }
            }
        } catch (JacksonException e) {
            faults.add("body: " + e.getOriginalMessage() + " (expected: a JSON object)");
        }
        return new RoomOverrideRequest(
                before -> {
                    RoomOverrides after = before;
                    for (UnaryOperator<RoomOverrides> one : changes) {
                        after = one.apply(after);
                    }
                    return after;
                },
                faults);
    }

    private static UnaryOperator<RoomOverrides> unknown() {
        throw new IllegalArgumentException("one of " + KEYS);
    }

    private static UnaryOperator<RoomOverrides> mode(JsonNode value, RateLimitRule rule) {
        for (RoomMode mode : RoomMode.values()) {
            if (value.isNull() || Kebab.ofConstant(mode).equals(value.asString(""))) {
                return overrides -> overrides.in(mode);
            }
        }
        String all = Arrays.stream(RoomMode.values()).map(Kebab::ofConstant).collect(Collectors.joining(" | "));
        throw new IllegalArgumentException(all);
    }

    private static UnaryOperator<RoomOverrides> activeSessions(JsonNode value, RateLimitRule rule) {
        int sessions = value.isInt() ? value.asInt() : 0;
        if (!value.isNull() && (sessions < 1 || sessions > MAX_ACTIVE)) {
            throw new IllegalArgumentException("1.." + MAX_ACTIVE + ", or null");
        }
        return overrides -> overrides.active(sessions);
    }

    /** Overrides the rate; the burst stays as configured. */
    private static UnaryOperator<RoomOverrides> rate(JsonNode value, RateLimitRule rule) {
        if (value.isNull()) {
            return overrides -> overrides.base(null);
        }
        Rate rate = Rate.of(value.asString(""));
        if (rate.isNone()) {
            throw new IllegalArgumentException(Rate.EXPECTED);
        }
        return overrides -> overrides.base(rate.gcra(rule.burst()));
    }

    private static UnaryOperator<RoomOverrides> opensAt(JsonNode value, RateLimitRule rule) {
        if (value.isNull()) {
            return overrides -> overrides.opens(0);
        }
        try {
            String text = value.asString("");
            long seconds = (text.equals("now") ? Instant.now() : Instant.parse(text)).getEpochSecond();
            return overrides -> overrides.opens(Math.max(1, seconds * 1_000_000));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(INSTANT, e);
        }
    }
}
