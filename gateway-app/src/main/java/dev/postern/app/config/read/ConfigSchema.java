package dev.postern.app.config.read;

import dev.postern.core.config.Kebab;
import dev.postern.core.config.Key;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Schema of a value, read from the records: a record of keys, a list, a map of names, or a scalar.
 *
 * @param raw the class of the value
 * @param inner schema of the elements of a list or map; null for others
 * @param nullable whether {@code null} is a value
 */
public record ConfigSchema(
        Kind kind, Class<?> raw, @Nullable ConfigSchema inner, boolean nullable) {

    /** Cache of fields: the JDK parses annotations on every call, which would be most of the time to read a file. */
    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> record) {
            return Arrays.stream(record.getRecordComponents())
                    .map(ConfigSchema::field)
                    .toList();
        }
    };

    /** Kind of a schema. */
    public enum Kind {
        RECORD,
        LIST,
        MAP,
        LEAF
    }

    /** Field of a record: one key. */
    public record Field(String key, ConfigSchema schema, Key about) {

        public boolean required() {
            return about.defaultValue().equals(Key.REQUIRED);
        }

        private boolean single() {
            return schema.kind() == Kind.LEAF;
        }

        private boolean plain() {
            return single() && !about.defaultValue().equals("null");
        }

        private String shown() {
            String value = about.example().isEmpty() ? about.defaultValue() : about.example();
            return key + ": " + (single() || required() ? value : schema.example());
        }
    }

    /** Returns the schema of a record class. */
    public static ConfigSchema of(Class<?> record) {
        return new ConfigSchema(Kind.RECORD, record, null, false);
    }

    /** Returns the keys of a record in their order; empty for other kinds. */
    public List<Field> fields() {
        return kind == Kind.RECORD ? FIELDS.get(raw) : List.of();
    }

    /** Returns the key of that name, or null. */
    public @Nullable Field field(String key) {
        return fields().stream().filter(f -> f.key().equals(key)).findFirst().orElse(null);
    }

    /** Returns the expectation for an unknown key: the new name of a renamed key, else the known keys. */
    String expected(String unknown) {
        for (Field field : fields()) {
            if (field.about().formerly().equals(unknown)) {
                return "renamed (expected: " + field.key() + ")";
            }
        }
        List<String> known = fields().stream().map(Field::key).toList();
        if (unknown.startsWith("x-")) {
            return "unknown key (expected: none that begins with x-; an anchor stands where its value is used first)";
        }
        return "unknown key (expected: one of " + String.join(", ", known) + SpellingSuggestion.hint(unknown, known)
                + ")";
    }

    /** Returns what a value of this schema looks like, for messages: its required keys, else its first keys. */
    String example() {
        return switch (kind) {
            case LEAF -> "a";
            case LIST ->
                "[" + (element().kind() == Kind.LEAF ? "a, b" : element().example()) + "]";
            case MAP -> "{NAME: " + element().example() + "}";
            case RECORD -> {
                List<Field> required = fields().stream().filter(Field::required).toList();
                List<Field> shown = required.isEmpty()
                        ? fields().stream().filter(Field::plain).limit(2).toList()
                        : required;
                yield (shown.isEmpty() ? fields().subList(0, 1) : shown)
                        .stream().map(Field::shown).collect(Collectors.joining(", ", "{", "}"));
            }
        };
    }

    /** Returns the schema of the elements of a list or map. */
    public ConfigSchema element() {
        if (inner == null) {
            throw new IllegalStateException(raw + ": no elements (expected: a list or map)");
        }
        return inner;
    }

    /** Returns whether this value or a value below is secret. */
    public boolean holdsSecret() {
        return inner != null && inner.holdsSecret()
                || fields().stream()
                        .anyMatch(field ->
                                field.about().secret() || field.schema().holdsSecret());
    }

    private static Field field(RecordComponent component) {
        Key about = component.getAnnotation(Key.class);
        if (about == null) {
            throw new IllegalStateException(component + ": no @Key (expected: one on every component)");
        }
        return new Field(key(component), of(component.getAnnotatedType()), about);
    }

    /** Returns the key of a record component. */
    static String key(RecordComponent component) {
        Key about = component.getAnnotation(Key.class);
        return about == null || about.name().isEmpty() ? Kebab.ofComponent(component.getName()) : about.name();
    }

    private static ConfigSchema of(AnnotatedType annotated) {
        boolean nullable = annotated.isAnnotationPresent(Nullable.class);
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType generic
                && type instanceof ParameterizedType parameterized) {
            AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
            Class<?> raw = (Class<?>) parameterized.getRawType();
            Kind kind = raw == Map.class ? Kind.MAP : Kind.LIST;
            return new ConfigSchema(kind, raw, of(arguments[arguments.length - 1]), nullable);
        }
        Class<?> raw = (Class<?>) type;
        return new ConfigSchema(ScalarReaders.known(raw) ? Kind.LEAF : Kind.RECORD, raw, null, nullable);
    }
}
