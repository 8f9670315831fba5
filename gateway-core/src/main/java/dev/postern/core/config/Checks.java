package dev.postern.core.config;

import dev.postern.core.net.CidrSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the components of a record; the constructor reports all faults together. A range of a single value is not checked here but
 * stated in its {@link Key}.
 *
 * <pre>{@code Checks.of().name("namespace", namespace).done();}</pre>
 */
public final class Checks {

    private static final String EXPECTED = "(expected: ";

    private final List<Fault> faults = new ArrayList<>();

    private Checks() {}

    /**
     * Fault of one value: its key in the record, and the expected value.
     *
     * @param other the same fault for the second key of the condition, or null; reported instead if only the second key was given
     */
    public record Fault(
            String key,
            String value,
            String expected,
            @Nullable Fault other) {

        public Fault(String key, Object value, String expected) {
            this(key, text(value), expected, null);
        }

        /** Returns the value as operators write it. */
        private static String text(Object value) {
            if (value instanceof Duration duration) {
                return DurationText.format(duration);
            }
            return value instanceof Enum<?> constant ? Kebab.ofConstant(constant) : String.valueOf(value);
        }

        @Override
        public String toString() {
            return key + ": " + value + " (expected: " + expected + ")";
        }
    }

    /** Signals the faults of a configuration record; thrown by its constructor. */
    public static final class Failed extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private final transient List<Fault> faults;

        Failed(List<Fault> faults) {
            super(faults.stream().map(Fault::toString).collect(Collectors.joining("; ")));
            this.faults = List.copyOf(faults);
        }

        public List<Fault> faults() {
            return faults;
        }
    }

    public static Checks of() {
        return new Checks();
    }

    public Checks that(boolean good, String key, Object value, String expected) {
        if (!good) {
            faults.add(new Fault(key, value, expected));
        }
        return this;
    }

    /** Checks a condition between two keys; the operator may change either. */
    public Checks fit(boolean good, Fault one, Fault other) {
        if (!good) {
            faults.add(new Fault(one.key(), one.value(), one.expected(), other));
        }
        return this;
    }

    /** Checks that {@code parse} accepts the value; the message of its exception says what was expected. */
    public Checks parses(String key, Object value, Runnable parse) {
        try {
            parse.run();
            return this;
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int expected = message.indexOf(EXPECTED);
            String text =
                    expected < 0 ? message : message.substring(expected + EXPECTED.length(), message.length() - 1);
            return that(false, key, value, text);
        }
    }

    /** Checks a range that depends on another key. */
    public Checks between(String key, long value, long least, long most) {
        return that(value >= least && value <= most, key, value, least + ".." + most);
    }

    /** Checks a name for keys of stores, meters and paths: letters, digits, dots, dashes, underscores. */
    public Checks name(String key, String value) {
        return that(
                value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}"),
                key,
                value,
                "1 to 63 letters, digits, dots, dashes or underscores");
    }

    /** Checks each element of a list. */
    public <T> Checks each(String key, List<T> values, Predicate<T> good, String expected) {
        return each(key, values, good, value -> expected);
    }

    /** @param expected describes the expected value, for a wrong one */
    public <T> Checks each(String key, List<T> values, Predicate<T> good, Function<T, String> expected) {
        for (int i = 0; i < values.size(); i++) {
            T value = values.get(i);
            if (!good.test(value)) {
                that(false, key + "." + i, value, expected.apply(value));
            }
        }
        return this;
    }

    /** Checks a list of address ranges. */
    public Checks ranges(String key, List<String> ranges) {
        return each(key, ranges, CidrSet::isRange, "an address range such as 10.0.0.0/8 or fd00::/8");
    }

    /** Checks a list of address ranges, and of files with ranges, whose names begin with {@code @}. */
    public Checks rangesAndFiles(String key, List<String> entries) {
        return each(
                key,
                entries,
                entry -> entry.startsWith("@") ? entry.length() > 1 : CidrSet.isRange(entry),
                "an address range such as 10.0.0.0/8 or fd00::/8, or a file, in quotes and after an at sign");
    }

    /** Checks that a certificate and its key are given together, or neither. */
    public Checks pair(@Nullable Object certificateFile, @Nullable Object privateKeyFile) {
        return that(
                (certificateFile == null) == (privateKeyFile == null),
                certificateFile == null ? "certificate-file" : "private-key-file",
                "nothing",
                "both certificate-file and private-key-file, or none");
    }

    /** Throws {@link Failed} if a check failed. */
    public void done() {
        if (!faults.isEmpty()) {
            throw new Failed(faults);
        }
    }
}
