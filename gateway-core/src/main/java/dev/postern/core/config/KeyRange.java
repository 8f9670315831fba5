package dev.postern.core.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Range of the values of a key, both ends included; the reader of the configuration checks it.
 *
 * @param min as operators write it; empty for none
 * @param max likewise
 */
public record KeyRange(String min, String max) {

    /** Returns the range of a key, or null for none. */
    public static @Nullable KeyRange of(Key key) {
        return key.min().isEmpty() && key.max().isEmpty() ? null : new KeyRange(key.min(), key.max());
    }

    /** Returns whether a value, which is of the key's type, is in the range. */
    public boolean contains(Object value) {
        return (min.isEmpty() || compare(value, min) >= 0) && (max.isEmpty() || compare(value, max) <= 0);
    }

    private static int compare(Object value, String end) {
        if (value instanceof Integer number) {
            return number.compareTo(Integer.valueOf(end));
        }
        if (value instanceof Duration duration) {
            return duration.compareTo(DurationText.parse(end));
        }
        if (value instanceof ByteSize size) {
            return Long.compare(size.bytes(), ByteSize.of(end).bytes());
        }
        if (value instanceof Rate rate) {
            return Double.compare(perNano(rate), perNano(Rate.of(end)));
        }
        throw new IllegalStateException(
                value.getClass() + " (expected: a number, duration, size or rate, since the key has a range)");
    }

    private static double perNano(Rate rate) {
        return (double) rate.count() / rate.period().toNanos();
    }

    /** Returns the range as messages and documentation show it. */
    @Override
    public String toString() {
        return min.isEmpty() ? "up to " + max : max.isEmpty() ? min + " or more" : min + ".." + max;
    }
}
