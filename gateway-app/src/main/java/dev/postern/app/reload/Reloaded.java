package dev.postern.app.reload;

import dev.postern.app.config.GatewayConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Result of a reload.
 *
 * @param changes applied, or changes that would have been applied
 * @param problems reasons why nothing changed; empty if all changes were applied
 */
public record Reloaded(Result result, List<String> changes, List<String> problems) {

    public Reloaded {
        changes = List.copyOf(changes);
        problems = List.copyOf(problems);
    }

    /** Outcome of the reload. */
    public enum Result {
        /** Applied: all changes are in force. */
        OK,
        /** Rejected: the configuration has problems. */
        INVALID,
        /** Rejected: the configuration is valid, but the running process can't apply it. */
        REFUSED;

        /** Returns the tag value of the meter. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the result of an applied reload, from one configuration to another. */
    public static Reloaded applied(GatewayConfig before, GatewayConfig after) {
        return new Reloaded(
                Result.OK,
                Difference.between(before, after).stream().map(Change::toString).toList(),
                List.of());
    }

    /** Returns the result of a rejected reload. */
    public static Reloaded not(Result why, List<String> problems) {
        return new Reloaded(why, List.of(), problems);
    }

    /** Returns the JSON form of the result. */
    public Map<String, Object> toJson() {
        Map<String, Object> received = new LinkedHashMap<>();
        received.put("result", result.label());
        received.put("changes", changes);
        received.put("problems", problems);
        return received;
    }
}
