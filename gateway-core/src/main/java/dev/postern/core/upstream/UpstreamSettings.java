package dev.postern.core.upstream;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.transport.SocketOptions;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerAdapter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A named group of servers and how to talk to them.
 *
 * @param endpoints {@code host:port} or {@code dns:host:port}, and perhaps {@code weight=N}
 * @param breaker null for none
 * @param proxyProtocol whether and how servers are told who the client is, as the first of each connection
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

    /** Servers that are told by fields alone who the client is. */
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

    /** The header that connections begin with. */
    public enum ProxyProtocol {
        OFF,
        /** One line of text. */
        V1,
        /** The binary form. */
        V2;

        /** The handler of a new connection that sends it. */
        ChannelHandler greeting(@Nullable ProxyProtocolSource source) {
            return this == OFF ? new ChannelHandlerAdapter() {} : new ProxyProtocolEncoder(this, source);
        }
    }

    /**
     * How a server is chosen.
     *
     * @param policy what is hashed, of {@code RING_HASH}
     * @param rule the extension that chooses, of {@code RULE}; else null
     */
    public record Balance(
            Kind kind, HashPolicy policy, @Nullable EndpointBalancer rule) {

        public static final Balance DEFAULT = new Balance(Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS);

        public Balance(Kind kind, HashPolicy policy) {
            this(kind, policy, null);
        }

        /** As that extension says. */
        public static Balance by(EndpointBalancer rule) {
            return new Balance(Kind.RULE, HashPolicy.CLIENT_ADDRESS, rule);
        }

        /** What of the exchange decides its server; 0 where nothing does. */
        long key(Exchange exchange) {
            if (rule != null) {
                return rule.key(exchange);
            }
            return kind == Kind.RING_HASH ? policy.key(exchange) : 0;
        }

        /** The rule. */
        public enum Kind {
            /** The less busy one of two that are drawn at random. */
            LEAST_OF_TWO,
            ROUND_ROBIN,
            RING_HASH,
            /** As an extension says. */
            RULE
        }
    }

    /**
     * How long it may take.
     *
     * @param connect until a connection stands, waiting for a free one included
     * @param firstByte from the end of the request, its body included, to the first byte of the response
     * @param idle between two pieces of a response, and while nothing of a request's body is taken
     */
    public record Timeouts(Duration connect, Duration firstByte, Duration idle) {}

    /**
     * Bounds of the connections.
     *
     * @param keepAlive whether connections are used again
     * @param maxConnections in the whole process
     * @param maxPending exchanges that wait for a connection, in the whole process
     * @param idle unused for so long, a connection is closed
     * @param learnIdle whether it is closed earlier when the upstream is seen to close it
     * @param life so old, a connection is closed after its exchange; zero for no limit
     * @param requests after so many a connection is closed; 0 for no limit
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

        /** With as many exchanges on a connection as most servers take. */
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
     * When a request is sent again.
     *
     * @param share of all requests, 0..1
     * @param perTry until the first byte of the response, as long as another server may be tried
     */
    public record Retry(double share, Duration perTry) {

        public static final Retry DEFAULTS = new Retry(0.2, Duration.ofSeconds(5));
    }

    /**
     * Which servers are left out.
     *
     * @param failures in a row before a server is left out; 0 for never
     * @param ejection for how long, at first; each further failure doubles it
     * @param mostEjection for how long at most
     * @param panic when fewer than this share of the servers may be used, all are
     * @param slowStart so long a server that came back gets less than its share
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
     * When the whole upstream is not asked any more.
     *
     * @param failureRate of the exchanges of the window, 0..1
     * @param leastCalls with fewer exchanges in the window nobody can tell
     * @param open so long nobody is let through
     * @param trials then so many decide
     */
    public record Breaker(double failureRate, Duration window, int leastCalls, Duration open, int trials) {}

    /**
     * Asks each server how it is.
     *
     * @param path asked for with GET; 2xx and 3xx are good
     * @param host what is sent as Host, or null for the server's own address
     * @param rise good responses in a row until a server is used again
     * @param fall bad ones until it is left out
     */
    public record Check(String path, @Nullable String host, Duration interval, Duration timeout, int rise, int fall) {}
}
