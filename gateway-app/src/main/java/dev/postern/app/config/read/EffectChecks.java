package dev.postern.app.config.read;

import dev.postern.core.config.KeyNeed;
import dev.postern.core.config.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Warns of keys that the operator gave and that have no effect beside the other values, as their {@code @Key} says. */
final class EffectChecks {

    private static final String LIST = "[]";
    private static final String MAP = "<name>";

    private final Findings findings;

    EffectChecks(Findings findings) {
        this.findings = findings;
    }

    /**
     * Section of keys.
     *
     * @param whole its values, completed by defaults
     * @param outer the section that contains it; null for the root
     */
    private record Section(
            ConfigSchema schema,
            JsonNode whole,
            String path,
            @Nullable Section outer) {}

    /** Value of a key, with its path. */
    private record PathNode(ConfigSchema schema, JsonNode value, String path) {}

    /**
     * Checks a tree.
     *
     * @param given only what the operator gave
     * @param whole completed by defaults
     */
    void run(ConfigSchema root, JsonNode given, JsonNode whole) {
        visit(root, given, whole, "", null);
    }

    private void visit(ConfigSchema schema, JsonNode given, JsonNode whole, String path, @Nullable Section outer) {
        switch (schema.kind()) {
            case RECORD -> {
                Section section = new Section(schema, whole, path, outer);
                schema.fields().forEach(field -> key(field, given.path(field.key()), section));
            }
            case LIST -> {
                for (int i = 0; i < whole.size(); i++) {
                    String location = ConfigNode.child(path, Integer.toString(i));
                    visit(schema.element(), given.path(i), whole.path(i), location, outer);
                }
            }
            case MAP ->
                whole.properties()
                        .forEach(entry -> visit(
                                schema.element(),
                                given.path(entry.getKey()),
                                entry.getValue(),
                                ConfigNode.child(path, entry.getKey()),
                                outer));
            case LEAF -> {}
        }
    }

    private void key(ConfigSchema.Field field, JsonNode given, Section section) {
        if (isOff(given)) {
            return;
        }
        String path = ConfigNode.child(section.path(), field.key());
        List<KeyNeed> needs = KeyNeed.of(field.about());
        if (!needs.isEmpty() && needs.stream().noneMatch(need -> isMet(need, section))) {
            List<String> conditions =
                    needs.stream().map(need -> shown(need, section)).toList();
            findings.withoutEffect(path, value(field, given), conditions, field.key());
        } else if (!field.about().upTo().isEmpty()) {
            upTo(field, given, path, section);
        } else {
            visit(field.schema(), given, section.whole().path(field.key()), path, section);
        }
    }

    /** Returns whether a value is absent or switches something off, so that it says the same as a key without effect. */
    private static boolean isOff(JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return true;
        }
        if (given.isObject()) {
            return given.properties().stream().allMatch(entry -> isOff(entry.getValue()));
        }
        return given.isArray() ? given.isEmpty() : KeyNeed.isOff(given.asString());
    }

    private static String value(ConfigSchema.Field field, JsonNode given) {
        return given.isContainer() ? "" : field.about().secret() ? ShownText.HIDDEN : ShownText.line(given.asString());
    }

    private boolean isMet(KeyNeed need, Section section) {
        return nodes(need.path(), section).stream()
                .anyMatch(place -> findings.isStandIn(place.path()) || isMet(need, place.value()));
    }

    private static boolean isMet(KeyNeed need, JsonNode value) {
        if (!value.isArray()) {
            return value.isContainer() ? !value.isEmpty() : need.isMetBy(value.isNull() ? "null" : value.asString());
        }
        return need.values().isEmpty()
                ? !value.isEmpty()
                : value.valueStream().anyMatch(element -> need.isMetBy(element.asString()));
    }

    private void upTo(ConfigSchema.Field field, JsonNode given, String path, Section section) {
        PathNode other = nodes(field.about().upTo(), section).get(0);
        String end = other.value().asString();
        Object value = ScalarReaders.parse(
                field.schema().raw(), section.whole().path(field.key()).asString());
        if (!findings.isStandIn(other.path()) && !KeyNeed.isOff(end) && !new KeyRange("", end).contains(value)) {
            findings.warning(
                    path,
                    value(field, given) + ": no effect above " + findings.location(other.path()) + ", which is " + end
                            + "; set it lower, or that higher");
        }
    }

    /** Returns the values of a path; of a list or map those of all elements. */
    private static List<PathNode> nodes(String path, Section from) {
        String[] words = path.split("\\.");
        Section around = around(words[0], from);
        List<PathNode> nodes = List.of(new PathNode(around.schema(), around.whole(), around.path()));
        for (String word : words) {
            List<PathNode> next = new ArrayList<>();
            nodes.forEach(place -> step(place, word, next));
            nodes = next;
        }
        return nodes;
    }

    private static void step(PathNode place, String word, List<PathNode> next) {
        if (word.equals(MAP)) {
            place.value()
                    .properties()
                    .forEach(entry -> next.add(new PathNode(
                            place.schema().element(),
                            entry.getValue(),
                            ConfigNode.child(place.path(), entry.getKey()))));
            return;
        }
        String key = word.replace(LIST, "");
        ConfigSchema.Field field = place.schema().field(key);
        if (field == null) {
            throw new IllegalStateException(place.schema().raw() + ": " + word + " (expected: one of its keys)");
        }
        JsonNode value = place.value().path(key);
        String path = ConfigNode.child(place.path(), key);
        if (word.endsWith(LIST)) {
            for (int i = 0; i < value.size(); i++) {
                String element = ConfigNode.child(path, Integer.toString(i));
                next.add(new PathNode(field.schema().element(), value.path(i), element));
            }
        } else {
            next.add(new PathNode(field.schema(), value, path));
        }
    }

    /** Returns the nearest section around, or the section itself, that has the first key of a path. */
    private static Section around(String word, Section from) {
        String key = word.replace(LIST, "");
        for (Section section = from; section != null; section = section.outer()) {
            if (section.schema().field(key) != null) {
                return section;
            }
        }
        throw new IllegalStateException(from.path() + ": " + word + " (expected: a key of a section around)");
    }

    /** Returns the condition with the whole path of its key. */
    private static String shown(KeyNeed need, Section section) {
        String path =
                ConfigNode.dotted(around(need.path().split("\\.")[0], section).path());
        return path.isEmpty() ? need.toString() : path + "." + need;
    }
}
