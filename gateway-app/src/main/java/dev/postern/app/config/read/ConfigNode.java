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
 * Node tree of an untyped configuration: nested maps, lists and texts, each with its origin.
 *
 * <p>A place in the tree is a path such as {@code listeners/0/address}; the root is the empty path.
 */
final class ConfigNode {

    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final Map<String, Provenance> origins = new HashMap<>();
    private final Map<String, Provenance> keys = new HashMap<>();

    ObjectNode root() {
        return root;
    }

    void origin(String path, Provenance provenance) {
        origins.put(path, provenance);
    }

    /** Returns the origin of the value at that path; for a missing value the origin of its nearest parent. */
    Provenance origin(String path) {
        for (String location = path; ; location = parent(location)) {
            Provenance found = origins.get(location);
            if (found != null) {
                return found;
            }
            if (location.isEmpty()) {
                return Provenance.DEFAULT;
            }
        }
    }

    void keyOrigin(String path, Provenance provenance) {
        keys.put(path, provenance);
    }

    /** Returns the origin of the key at that path, not of its value. */
    Provenance keyOrigin(String path) {
        return keys.getOrDefault(path, origin(path));
    }

    /** Returns the place that the operator has to change: for a default, the nearest parent that was given. */
    Provenance given(String path) {
        for (String location = path; ; location = parent(location)) {
            Provenance found = origins.get(location);
            if (found != null && found.rank() > 0 || location.isEmpty()) {
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

    /** Returns the dotted form of a path, as operators write it. */
    static String dotted(String path) {
        return path.replace('/', '.');
    }

    /** Puts a value at a path; throws {@link IllegalArgumentException} with value and expectation if the path is impossible. */
    void put(List<String> path, JsonNode value, Provenance provenance) {
        JsonNode node = root;
        for (int i = 0; i < path.size() - 1; i++) {
            node = step(node, path.get(i), isIndex(path.get(i + 1)));
        }
        set(node, path.get(path.size() - 1), value);
        String location = String.join("/", path);
        origins.keySet().removeIf(key -> key.equals(location) || key.startsWith(location + "/"));
        origins.put(location, provenance);
        markNew(path, provenance);
    }

    private void markNew(List<String> path, Provenance provenance) {
        String location = "";
        for (String key : path) {
            location = child(location, key);
            origins.putIfAbsent(location, provenance);
        }
    }

    private static JsonNode step(JsonNode node, String key, boolean listNext) {
        JsonNode next = node.isArray() ? node.get(Integer.parseInt(key)) : node.get(key);
        if (next == null || !next.isContainer()) {
            next = listNext ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
            set(node, key, next);
        }
        return next;
    }

    private static void set(JsonNode node, String key, JsonNode value) {
        if (node instanceof ArrayNode list) {
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
            ((ObjectNode) node).set(key, value);
        }
    }

    static boolean isIndex(String key) {
        return key.matches("\\d{1,4}");
    }

    /** Returns the names of the elements of a list, in order; empty for an element without a name. */
    List<String> names(String path) {
        List<String> names = new ArrayList<>();
        JsonNode node = path.isEmpty() ? root : root.at("/" + path);
        node.forEach(element -> names.add(element.path("name").asString("")));
        return names;
    }
}
