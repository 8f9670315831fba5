package dev.postern.core.upstream.endpoint;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.transport.SocketOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an upstream, a named group of endpoints.
 *
 * @param endpoints {@code host:port} or {@code dns:host:port}, and perhaps {@code weight=N}
 * @param breaker null for none
 * @param proxyProtocol the PROXY protocol header, if any, that names the client at the start of each connection
 */
public record UpstreamSettings(
        String name,
        List<String> endpoints,
        Balance balance,
        Timeouts timeouts,
        Pool pool,
        Retry retry,
        Health health,
        @Nullable Breaker breaker,
        SocketOptions sockets,
        ProxyProtocol proxyProtocol) {

    /** Creates settings without a PROXY protocol header. */
    public UpstreamSettings(
            String name,
            List<String> endpoints,
            Balance balance,
            Timeouts timeouts,
            Pool pool,
            Retry retry,
            Health health,
            @Nullable Breaker breaker,
            SocketOptions sockets) {
        this(name, endpoints, balance, timeouts, pool, retry, health, breaker, sockets, ProxyProtocol.OFF);
    }

    /** Version of the PROXY protocol header that connections begin with. */
    public enum ProxyProtocol {
        OFF,
        /** Version 1, one line of text. */
        V1,
        /** Version 2, binary. */
        V2
    }

    /**
     * Balancing: how an endpoint is chosen.
     *
     * @param policy source of the hash key, for {@code RING_HASH}
     * @param rule the extension that chooses, for {@code RULE}; else null
     */
    public record Balance(
            Kind kind, HashPolicy policy, @Nullable EndpointBalancer rule) {

        public static final Balance DEFAULT = new Balance(Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS);

        public Balance(Kind kind, HashPolicy policy) {
            this(kind, policy, null);
        }

        /** Creates balancing by an extension. */
        public static Balance by(EndpointBalancer rule) {
            return new Balance(Kind.RULE, HashPolicy.CLIENT_ADDRESS, rule);
        }

        /** Returns the key of the exchange that selects its endpoint; 0 where no key is used. */
        public long key(Exchange exchange) {
            if (rule != null) {
                return rule.key(exchange);
            }
            return kind == Kind.RING_HASH ? policy.key(exchange) : 0;
        }

        /** Kind of balancing. */
        public enum Kind {
            /** The less busy one of two endpoints drawn at random. */
            LEAST_OF_TWO,
            ROUND_ROBIN,
            RING_HASH,
            /** By an extension. */
            RULE
        }
    }

    /**
     * Timeouts of an exchange.
     *
     * @param connect until the connection is open, including the wait for a free one
     * @param firstByte from the end of the request, its body included, to the first byte of the response
     * @param idle between two pieces of a response, and while the upstream takes no byte of a request's body
     */
    public record Timeouts(Duration connect, Duration firstByte, Duration idle) {}

    /**
     * Pool limits.
     *
     * @param keepAlive whether connections are used again
     * @param maxConnections in the whole process
     * @param maxPending exchanges that wait for a connection, in the whole process
     * @param idle idle time after which a connection is closed
     * @param learnIdle whether to close earlier when the upstream is observed to close idle connections
     * @param life age after which a connection is closed when its exchange is over; zero for no limit
     * @param requests number of requests after which a connection is closed; 0 for no limit
     * @param maxStreams exchanges at once on a connection that can carry several
     */
    public record Pool(
            boolean keepAlive,
            int maxConnections,
            int maxPending,
            Duration idle,
            boolean learnIdle,
            Duration life,
            int requests,
            int maxStreams) {

        private static final int STREAMS = 100;

        public static final Pool DEFAULTS =
                new Pool(true, 1024, 1024, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 0);

        /** Creates limits with as many streams as most servers allow. */
        public Pool(
                boolean keepAlive,
                int maxConnections,
                int maxPending,
                Duration idle,
                boolean learnIdle,
                Duration life,
                int requests) {
            this(keepAlive, maxConnections, maxPending, idle, learnIdle, life, requests, STREAMS);
        }
    }

    /**
     * Retry settings.
     *
     * @param share of all requests, 0..1
     * @param perTry until the first byte of the response, as long as another endpoint may be tried
     */
    public record Retry(double share, Duration perTry) {

        public static final Retry DEFAULTS = new Retry(0.2, Duration.ofSeconds(5));
    }

    /**
     * Health settings: when an endpoint is ejected.
     *
     * @param failures in a row before an endpoint is ejected; 0 for never
     * @param ejection duration of the first ejection; each further failure doubles it
     * @param mostEjection maximum duration
     * @param panic when fewer than this share of the endpoints are usable, all are used
     * @param slowStart how long an endpoint that returns gets less than its share
     * @param check active checks, or null for none
     */
    public record Health(
            int failures,
            Duration ejection,
            Duration mostEjection,
            double panic,
            Duration slowStart,
            @Nullable Check check) {

        public static final Health DEFAULTS =
                new Health(5, Duration.ofSeconds(1), Duration.ofSeconds(30), 0.5, Duration.ZERO, null);
    }

    /**
     * Breaker settings: when the whole upstream gets no exchanges.
     *
     * @param failureRate of the exchanges of the window, 0..1
     * @param leastCalls minimum number of exchanges in the window; with fewer the breaker stays closed
     * @param open duration of the open state
     * @param trials number of exchanges in the half-open state that decide
     */
    public record Breaker(double failureRate, Duration window, int leastCalls, Duration open, int trials) {}

    /**
     * Check settings: active health checks of each endpoint.
     *
     * @param path target of the GET; 2xx and 3xx are good
     * @param host value of Host, or null for the endpoint's own address
     * @param rise good responses in a row until an endpoint is used again
     * @param fall bad responses in a row until an endpoint is ejected
     */
    public record Check(String path, @Nullable String host, Duration interval, Duration timeout, int rise, int fall) {}
}
