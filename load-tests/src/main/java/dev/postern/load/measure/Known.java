package dev.postern.load.measure;

import java.util.Map;

/** Looks up values whose keys have to be known. */
public final class Known {
    private Known() {}

    /** @param what names the key in the message if it is unknown */
    public static <K, V> V in(Map<K, V> values, String what, K key) {
        V value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException(what + ": " + key + " (expected: one of " + values.keySet() + ")");
        }
        return value;
    }
}
