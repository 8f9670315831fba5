package dev.postern.core.testing;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Kebab;
import dev.postern.core.config.Key;
import dev.postern.core.config.KeyRange;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Settings whose values are checked as the reader of the configuration does: the ranges of the keys, and the checks of the record. */
public final class RangedSettings {

    private RangedSettings() {}

    /** Checks the ranges of settings; reports all faults together. */
    public static void check(Record settings) {
        Checks checks = Checks.of();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            try {
                check(checks, component, component.getAccessor().invoke(settings));
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException(component + " (expected: a component of a public record)", e);
            }
        }
        checks.done();
    }

    /** Creates settings with these values in the order of the record's components; reports all faults together. */
    public static <R extends Record> R of(Class<R> type, @Nullable Object... values) {
        RecordComponent[] components = type.getRecordComponents();
        Checks checks = Checks.of();
        for (int i = 0; i < values.length; i++) {
            check(checks, components[i], values[i]);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            R settings = type.getDeclaredConstructor(types).newInstance(values);
            checks.done();
            return settings;
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof Checks.Failed failed)) {
                throw new IllegalArgumentException(type + " (expected: values that its constructor takes)", e);
            }
            failed.faults().forEach(fault -> checks.that(false, fault.key(), fault.value(), fault.expected()));
            checks.done();
            throw failed;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(type + " (expected: a public record)", e);
        }
    }

    private static void check(Checks checks, RecordComponent component, @Nullable Object value) {
        KeyRange range = KeyRange.of(component.getAnnotation(Key.class));
        if (range != null && value != null) {
            checks.that(range.contains(value), Kebab.ofComponent(component.getName()), value, range.toString());
        }
    }
}
