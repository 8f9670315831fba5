package dev.postern.core.testing;

import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Kebab;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import dev.postern.core.config.Share;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Defaults of settings, as the annotations of their keys state them. */
public final class KeyDefaults {

    private static final Map<Class<?>, Function<String, ?>> PARSERS = Map.of(
            boolean.class, Boolean::parseBoolean,
            int.class, Integer::parseInt,
            Duration.class, DurationText::parse,
            ByteSize.class, ByteSize::of,
            ByteRate.class, ByteRate::of,
            Rate.class, Rate::of,
            Share.class, Share::of,
            HostPort.class, HostPort::of,
            String.class, text -> text);

    private KeyDefaults() {}

    /** Returns a record whose components all have their defaults. */
    public static <R extends Record> R of(Class<R> type) {
        return of(type, Map.of());
    }

    /** Returns a record with these values, by the names of its components, and defaults for the others. */
    public static <R extends Record> R of(Class<R> type, Map<String, ?> given) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(components)
                .map(component ->
                        given.containsKey(component.getName()) ? given.get(component.getName()) : value(component))
                .toArray();
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " (expected: a public record with defaults)", e);
        }
    }

    /** Returns a copy of a record with other values, by the names of its components. */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R with(R record, Map<String, ?> changed) {
        Map<String, Object> values = new HashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                values.put(component.getName(), component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(record + " (expected: a public record)", e);
            }
        }
        values.putAll(changed);
        return of((Class<R>) record.getClass(), values);
    }

    private static @Nullable Object value(RecordComponent component) {
        String text = component.getAnnotation(Key.class).defaultValue();
        Class<?> type = component.getType();
        if (text.equals("null")) {
            return null;
        }
        if (text.equals("{}")) {
            return of(type.asSubclass(Record.class));
        }
        if (type == List.class) {
            String elements = text.substring(1, text.length() - 1).replace("\"", "");
            return elements.isEmpty()
                    ? List.of()
                    : Arrays.stream(elements.split(", "))
                            .map(parser(elementType(component)))
                            .toList();
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> Kebab.ofConstant((Enum<?>) constant).equals(text))
                    .findFirst()
                    .orElseThrow();
        }
        return parser(type).apply(text);
    }

    private static Class<?> elementType(RecordComponent component) {
        return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }

    private static Function<String, ?> parser(Class<?> type) {
        Function<String, ?> parser = PARSERS.get(type);
        if (parser == null) {
            throw new IllegalArgumentException(type + " (expected: one of " + PARSERS.keySet() + ")");
        }
        return parser;
    }
}
