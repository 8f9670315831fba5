package dev.postern.app.config.read;

import java.util.Comparator;

/**
 * Something that is wrong with a configuration, or, as a warning, legal but dangerous.
 *
 * @param key dotted, such as {@code listeners.0.address}
 * @param text the value and what was expected
 */
public record Problem(Origin at, String key, String text) {

    static final Comparator<Problem> ORDER =
            Comparator.comparing(Problem::at, Origin.ORDER).thenComparing(Problem::key);

    @Override
    public String toString() {
        return at + ": " + (key.isEmpty() ? "" : key + ": ") + text;
    }
}
