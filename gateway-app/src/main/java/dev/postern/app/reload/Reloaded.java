package dev.postern.app.reload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What became of the attempt to take up another configuration.
 *
 * @param changes what is in force now, or would have been
 * @param problems why nothing changed; empty when all of it did
 */
public record Reloaded(Result result, List<Change> changes, List<String> problems) {

    public Reloaded {
        changes = List.copyOf(changes);
        problems = List.copyOf(problems);
    }

    /** How it ended. */
    public enum Result {
        /** All of it is in force. */
        OK,
        /** It is no good configuration. */
        INVALID,
        /** It is a good one, but not for a process that runs with the one before. */
        REFUSED;

        /** As the meter calls it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Everything changed that was to change. */
    public static Reloaded applied(List<Change> changes) {
        return new Reloaded(Result.OK, changes, List.of());
    }

    /** Nothing changed. */
    public static Reloaded not(Result why, List<String> problems) {
        return new Reloaded(why, List.of(), problems);
    }

    /** As JSON shows it. */
    public Map<String, Object> told() {
        Map<String, Object> received = new LinkedHashMap<>();
        received.put("result", result.label());
        received.put("changes", changes.stream().map(Change::toString).toList());
        received.put("problems", problems);
        return received;
    }
}
