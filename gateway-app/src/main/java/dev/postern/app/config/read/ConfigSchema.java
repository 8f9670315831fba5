package dev.postern.app.config.read;

import dev.postern.app.config.type.Kebab;
import dev.postern.app.config.type.Key;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Schema of a value, derived from the record classes: a record of keys, a list, a map of names, or a single value.
 *
 * @param raw the class of the value
 * @param inner the type of the elements of a list or map; null for others
 * @param nullable whether {@code null} is a value
 */
public record ConfigSchema(
        Kind kind, Class<?> raw, @Nullable ConfigSchema inner, boolean nullable) {

    /**
     * Fields by record class. Cached: the JVM parses annotations again at each call, which would take most of the time of reading a file.
     */
    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> record) {
            return Arrays.stream(record.getRecordComponents())
                    .map(ConfigSchema::field)
                    .toList();
        }
    };

    /** Kinds of values. */
    public enum Kind {
        RECORD,
        LIST,
        MAP,
        LEAF
    }

    /** Field of a record: a key. */
    public record Field(String key, ConfigSchema schema, Key about) {

        public boolean required() {
            return about.or().equals(Key.REQUIRED);
        }
    }

    /** Returns the schema of a record class. */
    public static ConfigSchema of(Class<?> record) {
        return new ConfigSchema(Kind.RECORD, record, null, false);
    }

    /** Returns the fields of a record in their order; an empty list for other kinds. */
    public List<Field> fields() {
        return kind == Kind.RECORD ? FIELDS.get(raw) : List.of();
    }

    /** Returns the field with the key, or null. */
    public @Nullable Field field(String key) {
        return fields().stream().filter(f -> f.key().equals(key)).findFirst().orElse(null);
    }

    /** Returns the message for an unknown key: the new name of a renamed key, otherwise the known keys. */
    String expected(String unknown) {
        for (Field field : fields()) {
            if (field.about().formerly().equals(unknown)) {
                return "renamed (expected: " + field.key() + ")";
            }
        }
        List<String> known = fields().stream().map(Field::key).toList();
        return "unknown key (expected: one of " + String.join(", ", known) + SpellingSuggestion.hint(unknown, known)
                + ")";
    }

    /** Returns the schema of the elements of a list or map. */
    public ConfigSchema element() {
        if (inner == null) {
            throw new IllegalStateException(raw + ": no elements (expected: a list or map)");
        }
        return inner;
    }

    /** Returns whether the value, or a value below it, is secret. */
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
        return new Field(Kebab.ofComponent(component.getName()), of(component.getAnnotatedType()), about);
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
