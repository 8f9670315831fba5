package dev.postern.core.proxy;

import dev.postern.core.config.Share;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Field;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.TcpKeepAlive;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.pool.ConnectionLease;
import dev.postern.core.upstream.pool.ConnectionPool;
import dev.postern.core.upstream.pool.PreemptionRounds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proxied exchange over a pool that a test plays. */
final class ProxyExchangeFixture {

    private final ExchangeFixture client = new ExchangeFixture();
    private final Pool pool = new Pool();
    private final Endpoint one = endpoint("192.0.2.1", null);
    private final Endpoint two = endpoint("192.0.2.2", null);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ReverseProxy proxy = new ReverseProxy(new Via("postern"));
    private UpstreamSettings.Retry retry = KeyDefaults.of(UpstreamSettings.Retry.class);
    private UpstreamSettings.Breaker breaker = KeyDefaults.of(UpstreamSettings.Breaker.class);
    private UpstreamSettings.ProxyProtocol proxyProtocol = UpstreamSettings.ProxyProtocol.OFF;
    private UpstreamSettings.Balance balance =
            new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS);
    private UpstreamSettings.Expect expect = UpstreamSettings.Expect.FORWARD;
    private UpstreamConnection.@Nullable Factory streams;
    private int endpoints = 2;
    private @Nullable Upstream upstream;
    private @Nullable ProxyExchange exchange;

    /** Creates an endpoint that its first failure ejects. */
    static Endpoint endpoint(String address, @Nullable Field host) {
        UpstreamSettings.Health failsOnce = new UpstreamSettings.Health(
                1,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                Share.of("50%"),
                Duration.ZERO,
                KeyDefaults.of(UpstreamSettings.Check.class));
        return new Endpoint(InetSocketAddress.createUnresolved(address, 80), 1, host, new EndpointHealth(failsOnce));
    }

    ProxyExchangeFixture endpoints(int number) {
        endpoints = number;
        return this;
    }

    /** Gives each try of a safe request that time, and retries a share of all requests, beside the reserve. */
    ProxyExchangeFixture retry(String share, Duration perTry) {
        retry = new UpstreamSettings.Retry(Share.of(share), perTry);
        return this;
    }

    ProxyExchangeFixture breaker() {
        breaker = new UpstreamSettings.Breaker(
                true, Share.of("50%"), Duration.ofSeconds(10), 1, Duration.ofSeconds(5), 1);
        return this;
    }

    ProxyExchangeFixture proxyProtocol() {
        proxyProtocol = UpstreamSettings.ProxyProtocol.V2;
        return this;
    }

    ProxyExchangeFixture balance(UpstreamSettings.Balance value) {
        balance = value;
        return this;
    }

    ProxyExchangeFixture expect(UpstreamSettings.Expect value) {
        expect = value;
        return this;
    }

    ProxyExchangeFixture streams() {
        streams = (channel, owner, terms) -> {
            throw new AssertionError("no connection is opened here");
        };
        return this;
    }

    ExchangeFixture client() {
        return client;
    }

    Exchange exchange() {
        return client.exchange();
    }

    RecordedResponse response() {
        return client.response();
    }

    /** Returns how many requests were sent again, or not, with that result: sent, stale or over-budget. */
    int retries(String result) {
        return (int) meters.get("postern.upstream.retries")
                .tags("result", result)
                .functionCounter()
                .count();
    }

    /** Returns whether a failure ejected the endpoint. */
    boolean blamed(Endpoint endpoint) {
        return !endpoint.health().usable(client.now());
    }

    Pool pool() {
        return pool;
    }

    Endpoint one() {
        return one;
    }

    Endpoint two() {
        return two;
    }

    ReverseProxy proxy() {
        return proxy;
    }

    Upstream upstream() {
        Upstream made = upstream;
        if (made == null) {
            Connector connector = new Connector(
                            Transport.open(Transport.Kind.NIO),
                            new SocketOptionsMonitor(),
                            DefaultAddressResolverGroup.INSTANCE,
                            (channel, owner) -> {
                                throw new AssertionError("no connection is opened here");
                            },
                            client.ticker())
                    .multiplexed(streams);
            made = new Upstream(settings(), connector, (Upstream) null);
            made.register(meters);
            upstream = made;
        }
        return made;
    }

    private UpstreamSettings settings() {
        return new UpstreamSettings(
                "app",
                List.of("192.0.2.1:80", "192.0.2.2:80").subList(0, endpoints),
                balance,
                new UpstreamSettings.Timeouts(Duration.ofSeconds(1), AttemptFixture.FIRST_BYTE, AttemptFixture.IDLE),
                KeyDefaults.of(UpstreamSettings.Pool.class),
                retry,
                KeyDefaults.of(UpstreamSettings.Health.class),
                breaker,
                new SocketOptions(true, "", 0, TcpKeepAlive.OFF, UnpooledByteBufAllocator.DEFAULT),
                proxyProtocol,
                expect,
                HostRule.PASS);
    }

    /** Returns the proxied exchange, started at the first call. */
    ProxyExchange start() {
        ProxyExchange started = exchange;
        if (started == null) {
            started = new ProxyExchange(exchange(), upstream(), pool, proxy);
            exchange = started;
            started.start();
        }
        return started;
    }

    /** Leases a connection to the exchange. */
    Lease lease(Endpoint endpoint, boolean reused) {
        Lease lease = new Lease(endpoint, reused, new FakeUpstreamStream());
        start().acquired(lease, client.now());
        return lease;
    }

    /** Lease that notes whether it came back unused. */
    static final class Lease implements ConnectionLease {

        private final Endpoint endpoint;
        private final boolean reused;
        private final FakeUpstreamStream stream;
        private boolean unused;

        Lease(Endpoint endpoint, boolean reused, FakeUpstreamStream stream) {
            this.endpoint = endpoint;
            this.reused = reused;
            this.stream = stream;
        }

        boolean cameBackUnused() {
            return unused;
        }

        @Override
        public FakeUpstreamStream stream() {
            return stream;
        }

        @Override
        public Endpoint endpoint() {
            return endpoint;
        }

        @Override
        public boolean reused() {
            return reused;
        }

        @Override
        public void unused() {
            unused = true;
        }
    }

    /** Pool that notes what the exchange wants. */
    final class Pool implements ConnectionPool {

        private final List<String> wanted = new ArrayList<>();
        private boolean left;

        /** Returns what was asked of the pool, in this order: the kind of connection, and the endpoint to avoid. */
        List<String> wanted() {
            return wanted;
        }

        boolean left() {
            return left;
        }

        private String name(@Nullable Endpoint avoid) {
            return avoid == null ? "" : avoid.equals(one) ? " but one" : " but two";
        }

        @Override
        public void acquire(Waiter waiter, @Nullable Endpoint avoid, long now) {
            wanted.add((waiter.fresh() ? "fresh" : "any") + name(avoid));
        }

        @Override
        public void leave(Waiter waiter) {
            left = true;
        }

        @Override
        public void permitWanted() {}

        @Override
        public void permitReturned() {}

        @Override
        public void placeWanted() {}

        @Override
        public void report(PreemptionRounds.Round round) {}

        @Override
        public void endpointsGone() {}

        @Override
        public int idle() {
            return 0;
        }
    }
}
