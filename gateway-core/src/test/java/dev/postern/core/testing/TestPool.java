package dev.postern.core.testing;

import dev.postern.core.upstream.endpoint.UpstreamSettings.Pool;
import java.util.Map;

/** Pools of upstreams: the defaults of their keys, but for the numbers that a test is about. */
public final class TestPool {

    private TestPool() {}

    /** @param streams concurrent exchanges of a connection, with HTTP/2 */
    public static Pool of(int connections, int pending, int streams) {
        return with(Map.of("maxConnections", connections, "maxPending", pending, "maxStreams", streams));
    }

    /** @param changed values by the names of the components of {@link Pool} */
    public static Pool with(Map<String, ?> changed) {
        return KeyDefaults.of(Pool.class, changed);
    }
}
