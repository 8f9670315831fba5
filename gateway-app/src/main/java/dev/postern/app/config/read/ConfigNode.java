package dev.postern.app.config.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A configuration before it has types: nested maps, lists and texts, each with its origin.
 *
 * <p>A place in it is a path such as {@code listeners/0/address}; the root is the empty path.
 */
final class ConfigNode {

    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final Map<String, Provenance> origins = new HashMap<>();
    private final Map<String, Provenance> keys = new HashMap<>();

    ObjectNode root() {
        return root;
    }

    void origin(String path, Provenance origin) {
        origins.put(path, origin);
    }

    /** Where the value at that path comes from; what is missing comes from where it should stand. */
    Provenance origin(String path) {
        for (String at = path; ; at = parent(at)) {
            Provenance found = origins.get(at);
            if (found != null) {
                return found;
            }
            if (at.isEmpty()) {
                return Provenance.DEFAULT;
            }
        }
    }

    void keyOrigin(String path, Provenance origin) {
        keys.put(path, origin);
    }

    /** Where the key itself stands, rather than its value. */
    Provenance keyOrigin(String path) {
        return keys.getOrDefault(path, origin(path));
    }

    /** Where to look for what should be changed: for a default, the nearest thing around it that was given. */
    Provenance given(String path) {
        for (String at = path; ; at = parent(at)) {
            Provenance found = origins.get(at);
            if (found != null && found.rank() > 0 || at.isEmpty()) {
                return found == null ? Provenance.DEFAULT : found;
            }
        }
    }

    static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    static String child(String path, String key) {
        return path.isEmpty() ? key : path + "/" + key;
    }

    /** How users write that path. */
    static String dotted(String path) {
        return path.replace('/', '.');
    }

    /** Puts a value over whatever stands there; throws {@link IllegalArgumentException}, with value and expectation, where that path can't be. */
    void put(List<String> path, JsonNode value, Provenance origin) {
        JsonNode at = root;
        for (int i = 0; i < path.size() - 1; i++) {
            at = step(at, path.get(i), isIndex(path.get(i + 1)));
        }
        set(at, path.get(path.size() - 1), value);
        String where = String.join("/", path);
        origins.keySet().removeIf(key -> key.equals(where) || key.startsWith(where + "/"));
        origins.put(where, origin);
        markNew(path, origin);
    }

    private void markNew(List<String> path, Provenance origin) {
        String at = "";
        for (String key : path) {
            at = child(at, key);
            origins.putIfAbsent(at, origin);
        }
    }

    private static JsonNode step(JsonNode at, String key, boolean listNext) {
        JsonNode next = at.isArray() ? at.get(Integer.parseInt(key)) : at.get(key);
        if (next == null || !next.isContainer()) {
            next = listNext ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
            set(at, key, next);
        }
        return next;
    }

    private static void set(JsonNode at, String key, JsonNode value) {
        if (at instanceof ArrayNode list) {
            int index = Integer.parseInt(key);
            if (index > list.size()) {
                throw new IllegalArgumentException(index + " (expected: an index of 0.." + list.size() + ")");
            }
            if (index == list.size()) {
                list.add(value);
            } else {
                list.set(index, value);
            }
        } else {
            ((ObjectNode) at).set(key, value);
        }
    }

    static boolean isIndex(String key) {
        return key.matches("\\d{1,4}");
    }

    /** Names of a list's elements that have one, in their order; others are empty. */
    List<String> names(String path) {
        List<String> names = new ArrayList<>();
        JsonNode at = path.isEmpty() ? root : root.at("/" + path);
        at.forEach(element -> names.add(element.path("name").asString("")));
        return names;
    }
}
