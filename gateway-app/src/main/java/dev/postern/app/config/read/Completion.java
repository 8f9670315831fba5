package dev.postern.app.config.read;

import dev.postern.app.config.type.Checks;
import dev.postern.app.config.type.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a tree whole: every key has a value, the default where none was given. What is wrong is told, with its place, and replaced by
 * its default, so that one mistake does not hide the next.
 */
final class Completion {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Tree tree;
    private final List<Problem> problems;
    private final JsonMapper mapper;

    Completion(Tree tree, List<Problem> problems, JsonMapper mapper) {
        this.tree = tree;
        this.problems = problems;
        this.mapper = mapper;
    }

    JsonNode complete(Shape shape, JsonNode node, String path) {
        if (node.isNull() && shape.nullable()) {
            return node;
        }
        return switch (shape.kind()) {
            case RECORD -> record(shape, node, path);
            case LIST -> list(shape, node, path);
            case MAP -> map(shape, node, path);
            case LEAF -> leaf(shape, node, path);
        };
    }

    private JsonNode record(Shape shape, JsonNode node, String path) {
        ObjectNode whole = NODES.objectNode();
        ObjectNode given = NODES.objectNode();
        if (node instanceof ObjectNode object) {
            given = object;
        } else if (!node.isNull()) {
            problem(path, shown(node), "keys of its own");
        }
        unknownKeys(shape, given, path);
        for (Shape.Field field : shape.fields()) {
            String where = Tree.child(path, field.key());
            JsonNode value = given.get(field.key());
            if (value == null && field.required()) {
                problem(where, "missing", "a value such as " + field.about().example());
            }
            whole.set(field.key(), value == null ? fallback(field, where) : given(field, value, where));
        }
        construct(shape, whole, path);
        return whole;
    }

    private JsonNode given(Shape.Field field, JsonNode value, String where) {
        int before = problems.size();
        JsonNode completed = complete(field.shape(), value, where);
        boolean single = field.shape().kind() == Shape.Kind.LEAF;
        return single && problems.size() > before ? fallback(field, where) : completed;
    }

    /** What stands there when nothing good was given; an example where there is no default, only to find more mistakes. */
    private JsonNode fallback(Shape.Field field, String where) {
        Key about = field.about();
        if (!field.required()) {
            tree.origin(where, Origin.DEFAULT);
        }
        return complete(field.shape(), YamlText.value(field.required() ? about.example() : about.or()), where);
    }

    private void unknownKeys(Shape shape, ObjectNode given, String path) {
        List<String> known = shape.fields().stream().map(Shape.Field::key).toList();
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            String where = Tree.child(path, entry.getKey());
            if (known.contains(entry.getKey())) {
                continue;
            }
            String text = "unknown key (expected: " + oneOf(known) + Nearest.hint(entry.getKey(), known) + ")";
            problems.add(new Problem(tree.keyOrigin(where), Tree.dotted(where), text));
        }
    }

    private static String oneOf(List<String> known) {
        return known.isEmpty() ? "no keys here" : "one of " + String.join(", ", known);
    }

    /** The record's own checks; each value that they refuse gives way to its default. */
    private void construct(Shape shape, ObjectNode whole, String path) {
        try {
            mapper.treeToValue(whole, shape.raw());
        } catch (JacksonException e) {
            if (!(e.getCause() instanceof Checks.Failed failed)) {
                throw e;
            }
            for (Checks.Fault fault : failed.faults()) {
                String key = fault.key().split("\\.", 2)[0];
                problem(Tree.child(path, fault.key().replace('.', '/')), fault.value(), fault.expected());
                Shape.Field field = shape.field(key);
                if (field != null) {
                    whole.set(key, fallback(field, Tree.child(path, key)));
                }
            }
        }
    }

    private JsonNode list(Shape shape, JsonNode node, String path) {
        ArrayNode whole = NODES.arrayNode();
        if (!node.isArray()) {
            problem(path, shown(node), "a list such as [a, b]");
            return whole;
        }
        List<JsonNode> elements = new ArrayList<>();
        node.forEach(elements::add);
        for (int i = 0; i < elements.size(); i++) {
            int before = problems.size();
            JsonNode element = complete(shape.element(), elements.get(i), Tree.child(path, Integer.toString(i)));
            boolean bad = problems.size() > before && shape.element().kind() == Shape.Kind.LEAF;
            if (!bad) {
                whole.add(element);
            }
        }
        return whole;
    }

    private JsonNode map(Shape shape, JsonNode node, String path) {
        ObjectNode whole = NODES.objectNode();
        if (!node.isObject()) {
            if (!node.isNull()) {
                problem(path, shown(node), "names with a value each");
            }
            return whole;
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            whole.set(entry.getKey(), complete(shape.element(), entry.getValue(), Tree.child(path, entry.getKey())));
        }
        return whole;
    }

    private JsonNode leaf(Shape shape, JsonNode node, String path) {
        if (!node.isString()) {
            problem(path, shown(node), "a single value");
            return node;
        }
        try {
            Leaves.parse(shape.raw(), node.asString());
        } catch (IllegalArgumentException e) {
            problem(path, node.asString(), String.valueOf(e.getMessage()));
        }
        return node;
    }

    private static String shown(JsonNode node) {
        return node.isString() ? node.asString() : node.isNull() ? "null" : node.isArray() ? "a list" : "a mapping";
    }

    private void problem(String path, String value, String expected) {
        problems.add(new Problem(tree.given(path), Tree.dotted(path), value + " (expected: " + expected + ")"));
    }
}
