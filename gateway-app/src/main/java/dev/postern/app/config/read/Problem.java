package dev.postern.app.config.read;

import java.util.Comparator;

/**
 * Problem of a configuration, or a warning about a valid but dangerous value.
 *
 * @param key dotted, such as {@code listeners.0.address}
 * @param text the value and the expected value
 */
public record Problem(Provenance at, String key, String text) {

    static final Comparator<Problem> ORDER =
            Comparator.comparing(Problem::at, Provenance.ORDER).thenComparing(Problem::key);

    @Override
    public String toString() {
        return at + ": " + (key.isEmpty() ? "" : key + ": ") + text;
    }
}
