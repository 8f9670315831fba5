package dev.postern.core.upstream;

import dev.postern.core.transport.SocketSettings;
import java.time.Duration;
import java.util.List;

/**
 * A named group of servers and how to talk to them.
 *
 * @param endpoints {@code host:port} or {@code dns:host:port}
 * @param connect until a connection stands, waiting for a free one included
 * @param firstByte from the request to the first byte of the answer
 * @param idle between two pieces of an answer
 */
public record UpstreamSettings(
        String name,
        List<String> endpoints,
        Balance balance,
        Duration connect,
        Duration firstByte,
        Duration idle,
        Pool pool,
        SocketSettings sockets) {

    /** How an endpoint is chosen. */
    public enum Balance {
        /** The less busy one of two that are drawn at random. */
        LEAST_OF_TWO,
        ROUND_ROBIN
    }

    /**
     * Bounds of the connections.
     *
     * @param keepAlive whether connections are used again
     * @param maxConnections in the whole process
     * @param maxPending exchanges that wait for a connection, in the whole process
     * @param idle unused for so long, a connection is closed
     * @param life so old, a connection is closed after its exchange; zero for no limit
     * @param requests after so many a connection is closed; 0 for no limit
     */
    public record Pool(
            boolean keepAlive, int maxConnections, int maxPending, Duration idle, Duration life, int requests) {

        public static final Pool DEFAULTS =
                new Pool(true, 1024, 1024, Duration.ofSeconds(55), Duration.ofMinutes(10), 0);
    }
}
