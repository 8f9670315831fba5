package dev.postern.core.testing;

import dev.postern.core.config.RedisSettings;
import java.util.HashMap;
import java.util.Map;

/** Creates settings of a Redis with the defaults of the configuration. */
public final class TestRedis {

    private TestRedis() {}

    public static RedisSettings of(String uri) {
        return of(uri, Map.of());
    }

    /** Returns settings with other values, by the names of their components. */
    public static RedisSettings of(String uri, Map<String, ?> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("uri", uri);
        return KeyDefaults.of(RedisSettings.class, all);
    }
}
