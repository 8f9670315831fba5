package dev.postern.app.config.read;

import dev.postern.core.config.Checks;
import dev.postern.core.config.ForeignPattern;
import dev.postern.core.config.Key;
import dev.postern.core.config.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes a tree: every key without a value gets its default. Each invalid value is reported with its place and replaced by a stand-in,
 * so that one mistake does not hide the next and the records can always be constructed.
 */
final class ConfigCompletion {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ConfigNode configNode;
    private final Findings findings;
    private final JsonMapper mapper;

    ConfigCompletion(ConfigNode configNode, Findings findings, JsonMapper mapper) {
        this.configNode = configNode;
        this.findings = findings;
        this.mapper = mapper;
    }

    JsonNode complete(ConfigSchema schema, JsonNode node, String path) {
        if (node.isNull() && schema.nullable()) {
            return node;
        }
        return switch (schema.kind()) {
            case RECORD -> record(schema, node, path);
            case LIST -> list(schema, node, path);
            case MAP -> map(schema, node, path);
            case LEAF -> leaf(schema, node, path);
        };
    }

    private JsonNode record(ConfigSchema schema, JsonNode node, String path) {
        ObjectNode whole = NODES.objectNode();
        ObjectNode given = NODES.objectNode();
        if (node instanceof ObjectNode object) {
            given = object;
        } else if (!node.isNull()) {
            problem(
                    path,
                    schema.holdsSecret() ? ShownText.HIDDEN : ShownText.shown(node),
                    "keys, such as " + schema.example());
        }
        unknownKeys(schema, given, path);
        valuesBesideFiles(schema, given, path);
        for (ConfigSchema.Field field : schema.fields()) {
            String location = ConfigNode.child(path, field.key());
            JsonNode value = given.get(field.key());
            if (value == null && field.required()) {
                problem(location, "missing", "a value such as " + field.about().example());
                findings.standIn(location);
            }
            whole.set(field.key(), value == null ? fallback(field, location) : given(field, value, location));
        }
        construct(schema, whole, path);
        return whole;
    }

    private JsonNode given(ConfigSchema.Field field, JsonNode value, String location) {
        int problems = findings.count();
        if (findings.takeUnresolved(location)) {
            return fallback(field, location);
        }
        JsonNode completed = complete(field.schema(), value, location);
        boolean single = field.schema().kind() == ConfigSchema.Kind.LEAF;
        if (single && findings.count() > problems) {
            findings.standIn(location);
            return fallback(field, location);
        }
        return completed;
    }

    /** Returns the default of a field without a valid value; without a default the example, to find further mistakes. */
    private JsonNode fallback(ConfigSchema.Field field, String location) {
        Key about = field.about();
        if (!field.required()) {
            configNode.origin(location, Provenance.DEFAULT);
        }
        return complete(
                field.schema(), YamlText.value(field.required() ? about.example() : about.defaultValue()), location);
    }

    private void unknownKeys(ConfigSchema schema, ObjectNode given, String path) {
        List<String> known =
                schema.fields().stream().map(ConfigSchema.Field::key).toList();
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            if (!known.contains(entry.getKey())) {
                String location = ConfigNode.child(path, entry.getKey());
                findings.problem(new Problem(
                        configNode.keyOrigin(location), ConfigNode.dotted(location), schema.expected(entry.getKey())));
            }
        }
    }

    /** Refuses {@code KEY} beside {@code KEY-file}, of which only one can apply. */
    private void valuesBesideFiles(ConfigSchema schema, ObjectNode given, String path) {
        for (ConfigSchema.Field field : schema.fields()) {
            String file = field.key() + "-file";
            if (schema.field(file) != null && given.hasNonNull(field.key()) && given.hasNonNull(file)) {
                String other = findings.location(ConfigNode.child(path, file));
                findings.problem(
                        ConfigNode.child(path, field.key()), "given too (expected: nothing beside " + other + ")");
            }
        }
    }

    /** Checks the ranges of the keys and runs the checks of the record; refused values are replaced by stand-ins until the record can be constructed. */
    private void construct(ConfigSchema schema, ObjectNode whole, String path) {
        List<Checks.Fault> faults = faults(schema, whole);
        for (Checks.Fault fault : faults) {
            Checks.Fault located = located(fault, path);
            problem(location(path, located), given(schema, whole, located), located.expected());
        }
        for (int step = 0; !faults.isEmpty(); step++) {
            standIns(schema, whole, path, faults, step);
            faults = faults(schema, whole);
        }
    }

    /** Returns the refused value as the operator wrote it; a text as its record shows it, since it may be secret. */
    private static String given(ConfigSchema schema, ObjectNode whole, Checks.Fault fault) {
        ConfigSchema.Field field = schema.field(fault.key());
        JsonNode written = whole.path(fault.key());
        boolean text = field == null || field.schema().raw() == String.class || !written.isString();
        return text ? fault.value() : written.asString();
    }

    private Checks.Fault located(Checks.Fault fault, String path) {
        Checks.Fault other = fault.other();
        return other != null && !findings.isGiven(location(path, fault)) && findings.isGiven(location(path, other))
                ? other
                : fault;
    }

    private static String location(String path, Checks.Fault fault) {
        return ConfigNode.child(path, fault.key().replace('.', '/'));
    }

    /** Replaces refused values by defaults, then by examples (if a default is invalid without another key), finally all values. */
    private void standIns(ConfigSchema schema, ObjectNode whole, String path, List<Checks.Fault> faults, int step) {
        List<String> refused =
                faults.stream().map(fault -> fault.key().split("\\.", 2)[0]).toList();
        for (ConfigSchema.Field field : schema.fields()) {
            String location = ConfigNode.child(path, field.key());
            String example = field.about().example();
            if (step == 2 || refused.contains(field.key())) {
                findings.standIn(location);
                boolean byExample = step % 2 == 1 && !example.isEmpty();
                whole.set(
                        field.key(),
                        byExample
                                ? complete(field.schema(), YamlText.value(example), location)
                                : fallback(field, location));
            }
        }
        if (step > 3) {
            throw new IllegalStateException(schema.raw() + ": no stand-in (expected: defaults and examples that fit)");
        }
    }

    private List<Checks.Fault> faults(ConfigSchema schema, ObjectNode whole) {
        List<Checks.Fault> faults = new ArrayList<>();
        for (ConfigSchema.Field field : schema.fields()) {
            @Nullable KeyRange range = KeyRange.of(field.about());
            if (range != null) {
                outOfRange(field.schema(), range, field.key(), whole.path(field.key()), faults);
            }
        }
        try {
            mapper.treeToValue(whole, schema.raw());
        } catch (JacksonException e) {
            if (!(e.getCause() instanceof Checks.Failed failed)) {
                throw e;
            }
            faults.addAll(failed.faults());
        }
        return faults;
    }

    private static void outOfRange(
            ConfigSchema schema, KeyRange range, String key, JsonNode node, List<Checks.Fault> faults) {
        if (schema.kind() == ConfigSchema.Kind.MAP) {
            node.properties()
                    .forEach(entry ->
                            outOfRange(schema.element(), range, key + "." + entry.getKey(), entry.getValue(), faults));
        } else if (!node.isNull()) {
            Object value = ScalarReaders.parse(schema.raw(), node.asString());
            if (!range.contains(value)) {
                faults.add(new Checks.Fault(key, value, range.toString()));
            }
        }
    }

    private JsonNode list(ConfigSchema schema, JsonNode node, String path) {
        ArrayNode whole = NODES.arrayNode();
        if (!node.isArray()) {
            boolean one = node.isString() && schema.element().kind() == ConfigSchema.Kind.LEAF;
            problem(
                    path,
                    ShownText.shown(node),
                    "a list such as " + (one ? "[" + node.asString() + "]" : schema.example()));
            findings.standIn(path);
            return whole;
        }
        List<JsonNode> elements = new ArrayList<>();
        node.forEach(elements::add);
        for (int i = 0; i < elements.size(); i++) {
            int problems = findings.count();
            String location = ConfigNode.child(path, Integer.toString(i));
            boolean unresolved = findings.takeUnresolved(location);
            JsonNode element = complete(schema.element(), elements.get(i), location);
            boolean faulty = findings.count() > problems || unresolved;
            if (faulty && schema.element().kind() == ConfigSchema.Kind.LEAF) {
                // A stand-in keeps the indexes of the following elements.
                findings.standIn(location);
                element = NODES.stringNode(ScalarReaders.any(schema.element().raw()));
            }
            whole.add(element);
        }
        return whole;
    }

    private JsonNode map(ConfigSchema schema, JsonNode node, String path) {
        ObjectNode whole = NODES.objectNode();
        if (!node.isObject()) {
            if (!node.isNull()) {
                problem(path, ShownText.shown(node), "names with a value each, such as " + schema.example());
                findings.standIn(path);
            }
            return whole;
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            int problems = findings.count();
            String location = ConfigNode.child(path, entry.getKey());
            boolean unresolved = findings.takeUnresolved(location);
            JsonNode element = complete(schema.element(), entry.getValue(), location);
            boolean faulty = findings.count() > problems || unresolved;
            if (!faulty || schema.element().kind() != ConfigSchema.Kind.LEAF) {
                whole.set(entry.getKey(), element);
            }
        }
        return whole;
    }

    private JsonNode leaf(ConfigSchema schema, JsonNode node, String path) {
        if (!node.isString()) {
            problem(path, ShownText.shown(node), ScalarReaders.expected(schema.raw()));
            return node;
        }
        ForeignPattern unfilled = schema.raw() == String.class ? ForeignPattern.ofUnfilled(node.asString()) : null;
        if (unfilled != null) {
            findings.warning(path, ShownText.line(node.asString()) + ": " + unfilled.text());
        }
        try {
            ScalarReaders.parse(schema.raw(), node.asString());
        } catch (IllegalArgumentException e) {
            problem(path, node.asString(), String.valueOf(e.getMessage()));
        }
        return node;
    }

    private void problem(String path, String value, String expected) {
        findings.problem(path, ShownText.line(value) + " (expected: " + expected + ")");
    }
}
