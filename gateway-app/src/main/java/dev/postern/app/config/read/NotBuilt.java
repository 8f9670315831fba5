package dev.postern.app.config.read;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keys of the contract whose rooms are not built yet: refused by name, so that nobody believes in a setting that does nothing. Whoever
 * builds a room deletes its lines here.
 */
final class NotBuilt {

    /** Values that may stand there all the same, because they ask for nothing. */
    private record Line(String path, Predicate<JsonNode> harmless, String instead) {}

    private static final List<Line> LINES =
            List.of(line("transport/kind", n -> !n.asString("").equals("io-uring"), "auto | epoll | nio"));

    private NotBuilt() {}

    private static Line line(String path, Predicate<JsonNode> harmless, String instead) {
        return new Line(path, harmless, instead);
    }

    /** What to write instead of that value, or null when it may stand there. */
    static @Nullable String refuses(String path, JsonNode value) {
        for (Line line : LINES) {
            if (matches(line.path(), path)) {
                return line.harmless().test(value) ? null : line.instead();
            }
        }
        return null;
    }

    /** Whether a whole subtree is unknown to the records because its room is missing. */
    static boolean covers(String path) {
        return LINES.stream().anyMatch(line -> line.path().endsWith("/*") && matches(line.path(), path));
    }

    /** The patterns, for the test that each names a key of the records. */
    static List<String> paths() {
        return new ArrayList<>(LINES.stream().map(Line::path).toList());
    }

    static boolean matches(String pattern, String path) {
        String[] want = pattern.split("/");
        String[] have = path.split("/");
        if (want.length != have.length) {
            return false;
        }
        for (int i = 0; i < want.length; i++) {
            if (!want[i].equals("*") && !want[i].equals(have[i])) {
                return false;
            }
        }
        return true;
    }
}
