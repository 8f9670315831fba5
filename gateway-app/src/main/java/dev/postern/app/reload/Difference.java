package dev.postern.app.reload;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigSchema;
import dev.postern.app.reload.Change.Kind;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Difference of two configurations: the changed keys, never values, since some values are secret. */
final class Difference {

    private static final String NAME = "name";

    private final List<Change> changes = new ArrayList<>();

    private Difference() {}

    /** Returns the changes in the order of the newer configuration. */
    public static List<Change> between(GatewayConfig before, GatewayConfig after) {
        Difference difference = new Difference();
        difference.visit(ConfigSchema.of(GatewayConfig.class), before, after, new At("", "", false));
        return List.copyOf(difference.changes);
    }

    /** Position in the configuration; see {@link Change}. */
    private record At(String key, String location, boolean restart) {

        At below(String word, String index) {
            return new At(join(key, word), join(location, index), restart);
        }

        private static String join(String path, String word) {
            return path.isEmpty() ? word : path + "." + word;
        }

        At needing(boolean one) {
            return new At(key, location, restart || one);
        }
    }

    private void visit(ConfigSchema schema, @Nullable Object before, @Nullable Object after, At at) {
        if (Objects.equals(before, after)) {
            return;
        }
        if (before == null || after == null) {
            add(Kind.CHANGED, at);
            return;
        }
        switch (schema.kind()) {
            case RECORD -> record(schema, before, after, at);
            case LIST -> list(schema.element(), (List<?>) before, (List<?>) after, at);
            case MAP -> map(schema.element(), (Map<?, ?>) before, (Map<?, ?>) after, at);
            case LEAF -> add(Kind.CHANGED, at);
        }
    }

    private void add(Kind kind, At at) {
        changes.add(new Change(kind, at.key(), at.location(), at.restart()));
    }

    private void record(ConfigSchema schema, Object before, Object after, At at) {
        RecordComponent[] components = schema.raw().getRecordComponents();
        List<ConfigSchema.Field> fields = schema.fields();
        for (int i = 0; i < components.length; i++) {
            ConfigSchema.Field field = fields.get(i);
            At below = at.below(field.key(), field.key()).needing(field.about().restart());
            visit(field.schema(), value(components[i], before), value(components[i], after), below);
        }
    }

    private static @Nullable Object value(RecordComponent component, Object record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + ": can't be read (expected: a public record)", e);
        }
    }

    private void list(ConfigSchema element, List<?> before, List<?> after, At at) {
        if (element.field(NAME) != null) {
            named(element, before, after, at);
        } else if (before.size() == after.size() && element.kind() == ConfigSchema.Kind.RECORD) {
            for (int i = 0; i < after.size(); i++) {
                String index = Integer.toString(i);
                visit(element, before.get(i), after.get(i), at.below(index, index));
            }
        } else {
            add(Kind.CHANGED, at);
        }
    }

    /** Compares lists whose elements have names: elements with the same name are compared, whatever their index. */
    private void named(ConfigSchema element, List<?> before, List<?> after, At at) {
        List<String> old = names(element, before);
        List<String> current = names(element, after);
        for (int i = 0; i < current.size(); i++) {
            At below = at.below(current.get(i), Integer.toString(i));
            int was = old.indexOf(current.get(i));
            if (was < 0) {
                add(Kind.ADDED, below);
            } else {
                visit(element, before.get(was), after.get(i), below);
            }
        }
        for (String name : old) {
            if (!current.contains(name)) {
                changes.add(new Change(Kind.REMOVED, at.below(name, name).key(), at.location(), at.restart()));
            }
        }
        if (!old.equals(current) && new TreeSet<>(old).equals(new TreeSet<>(current))) {
            add(Kind.CHANGED, at); // the order changed, which is significant in some lists
        }
    }

    private static List<String> names(ConfigSchema element, List<?> records) {
        for (RecordComponent component : element.raw().getRecordComponents()) {
            if (component.getName().equals(NAME)) {
                return records.stream()
                        .map(r -> String.valueOf(value(component, r)))
                        .toList();
            }
        }
        throw new IllegalStateException(element.raw() + ": no name (expected: one)");
    }

    private void map(ConfigSchema element, Map<?, ?> before, Map<?, ?> after, At at) {
        TreeSet<String> all = new TreeSet<>();
        before.keySet().forEach(k -> all.add(String.valueOf(k)));
        after.keySet().forEach(k -> all.add(String.valueOf(k)));
        for (String name : all) {
            At below = at.below(name, name);
            if (!before.containsKey(name)) {
                add(Kind.ADDED, below);
            } else if (!after.containsKey(name)) {
                add(Kind.REMOVED, below);
            } else {
                visit(element, before.get(name), after.get(name), below);
            }
        }
    }
}
