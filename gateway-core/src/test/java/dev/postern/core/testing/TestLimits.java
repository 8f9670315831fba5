package dev.postern.core.testing;

import dev.postern.core.connection.ConnectionSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Limits of client connections that no test reaches by chance. */
public final class TestLimits {

    private static final Map<String, Object> ALL = Map.of(
            "bodyIdleTimeout", Duration.ofSeconds(30),
            "writeIdleTimeout", Duration.ofSeconds(30));

    public static final ConnectionSettings CLIENT = with(Map.of());

    private TestLimits() {}

    /** Returns the limits with other values, by the names of their components. */
    public static ConnectionSettings with(Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(ALL);
        all.putAll(values);
        return KeyDefaults.of(ConnectionSettings.class, all);
    }
}
