package dev.postern.core.upstream;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Field;
import dev.postern.core.http.Refusal;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.loop.EventLoopLocal;
import dev.postern.core.upstream.connect.ChannelOpener;
import dev.postern.core.upstream.connect.ConnectSpec;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.HealthChecker;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointHealth;
import dev.postern.core.upstream.endpoint.EndpointSet;
import dev.postern.core.upstream.endpoint.EndpointSpec;
import dev.postern.core.upstream.endpoint.HealthLog;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.pool.ConnectionPool;
import dev.postern.core.upstream.pool.Http1ConnectionPool;
import dev.postern.core.upstream.pool.Http2ConnectionPool;
import dev.postern.core.upstream.pool.Permits;
import dev.postern.core.upstream.pool.PoolState;
import dev.postern.core.upstream.pool.PreemptionRounds;
import dev.postern.core.upstream.pool.UpstreamStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Upstream: a named group of endpoints, a connection pool for each event loop, and the limits that all pools share. Thread-safe; the pools
 * that {@link #pool} returns are not.
 */
public final class Upstream {

    /** Lookups in between are served by the DNS cache until the TTL is over. */
    private static final long LOOKUP_SECONDS = 5;

    /** Delay after which exchanges that were under way at retirement have their pool. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    private final UpstreamSettings settings;
    private final List<EndpointSpec> specs;
    private final Connector connector;
    private final RetryBudget retryBudget;
    private final @Nullable UpstreamBreaker breaker;
    private final EventLoopLocal<ConnectionPool> pools;
    private final PoolState state;
    private final LogRateLimiter healthLines;
    private boolean retired;

    /** Creates an upstream with meters. */
    public Upstream(UpstreamSettings settings, Connector connector, MeterRegistry meters) {
        this(settings, connector, (Upstream) null);
        register(meters);
    }

    /**
     * Creates an upstream without meters until {@link #register}.
     *
     * @param previous the upstream to replace, whose counts continue; null for none
     */
    public Upstream(UpstreamSettings settings, Connector connector, @Nullable Upstream previous) {
        this(
                settings,
                connector,
                connector.opener(new Connector.SocketGroup("upstream " + settings.name(), settings.sockets())),
                previous);
    }

    /** @param opener opens the channels of the pools, which need not be sockets of the connector */
    public Upstream(UpstreamSettings settings, Connector connector, ChannelOpener opener, @Nullable Upstream previous) {
        this.settings = settings;
        UpstreamStats stats = previous == null ? new UpstreamStats() : previous.state.stats();
        this.connector = connector;
        this.healthLines = HealthLog.limiter(connector.ticker());
        this.retryBudget = new RetryBudget(settings.retry().budget().fraction(), stats::requests);
        this.breaker = settings.breaker().enabled()
                ? new UpstreamBreaker(settings.name(), settings.breaker(), connector.ticker())
                : null;
        this.specs = settings.endpoints().stream().map(EndpointSpec::of).toList();
        specs.forEach(spec -> spec.requireReachable(connector.transport(), settings.name()));
        EndpointSet endpoints = EndpointSet.of(
                specs.stream().map(spec -> endpoint(spec.address(), spec)).toList(), settings.balance());
        this.state = new PoolState(settings, endpoints, stats, new PermitListener());
        UpstreamConnection.Factory multiplexing = connector.multiplexing();
        this.pools = new EventLoopLocal<>(loop -> multiplexing == null
                ? new Http1ConnectionPool(state, opener, connector.protocol(), loop)
                : new Http2ConnectionPool(state, opener, multiplexing, loop));
    }

    public String name() {
        return settings.name();
    }

    public UpstreamSettings settings() {
        return settings;
    }

    /** Starts DNS lookups and health checks on the event loop, until closed. */
    public AutoCloseable watch(EventLoop loop) {
        List<ScheduledFuture<?>> rounds = new ArrayList<>();
        if (specs.stream().anyMatch(EndpointSpec::watched)) {
            DnsEndpointResolver resolver =
                    new DnsEndpointResolver(this, specs, connector.resolver().getResolver(loop));
            rounds.add(loop.scheduleWithFixedDelay(resolver::run, 0, LOOKUP_SECONDS, TimeUnit.SECONDS));
        }
        UpstreamSettings.Check check = settings.health().check();
        if (check.enabled()) {
            Connector.SocketGroup group = new Connector.SocketGroup("health check " + name(), settings.sockets());
            ConnectSpec connectSpec = new ConnectSpec(
                    connector.opener(group),
                    connector.protocol(),
                    connector.multiplexing(),
                    loop,
                    settings.proxyProtocol());
            rounds.add(loop.scheduleWithFixedDelay(
                    () -> state.endpoints().all().forEach(endpoint -> HealthChecker.run(connectSpec, check, endpoint)),
                    0,
                    check.interval().toNanos(),
                    TimeUnit.NANOSECONDS));
        }
        return () -> rounds.forEach(round -> round.cancel(false));
    }

    /** Returns the pool of the loop; only on that loop. */
    public ConnectionPool pool(EventLoop loop) {
        return pools.get(loop);
    }

    /** Returns whether every endpoint is known to be down or the circuit breaker is open: then the gateway need not ask for a token. */
    public boolean down(long now) {
        return breaker != null && breaker.open(now) || state.endpoints().down(now);
    }

    /** Returns whether the circuit breaker admits the exchange; if so, the breaker records its outcome when the exchange ends. */
    public boolean admits(Exchange exchange) {
        UpstreamBreaker guard = breaker;
        if (guard == null) {
            return true;
        }
        if (!guard.permits()) {
            return false;
        }
        exchange.whenEnded(ended -> note(guard, ended.outcome()));
        return true;
    }

    /** Records what the exchange says about the upstream: nothing, when the gateway ended it for another reason than the upstream. */
    private static void note(UpstreamBreaker guard, Outcome outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null ? Endpoint.unable(outcome.status()) : refusal.blame() == FaultDomain.UPSTREAM) {
            guard.failed();
        } else if (refusal != null || outcome.status() == 0) {
            guard.withdrawn();
        } else {
            guard.succeeded();
        }
    }

    /**
     * Traffic of the upstream since the start.
     *
     * @param connects connections that were opened
     * @param waiting exchanges that wait for a connection now
     */
    public record Traffic(long connects, long requests, int waiting) {}

    /**
     * State of the upstream now.
     *
     * @param open connections
     * @param idle connections among them that are idle
     * @param servers all endpoints
     * @param usable endpoints that are not ejected
     * @param breaker 0 closed, 0.5 half-open, 1 open
     */
    public record State(Traffic traffic, int open, int idle, int servers, long usable, double breaker) {}

    /** Returns whether exchanges are streams of connections over which others run too. */
    public boolean multiplexed() {
        return connector.multiplexing() != null;
    }

    /** Returns the current state; from any thread. Reads the pools of all loops: not for every exchange. */
    public State state() {
        return new State(
                traffic(), state.permits().open(), idle(), size(), usable(), breaker == null ? 0 : breaker.value());
    }

    public Traffic traffic() {
        return new Traffic(
                state.stats().connects(),
                state.stats().requests(),
                state.permits().pending());
    }

    /** Returns the share of requests that used a connection which had served before, 0..1. */
    public double reuseRatio() {
        return state.stats().reuseRatio();
    }

    /** Returns the key that selects the endpoint of the exchange, where the upstream balances by a key; else 0. */
    public long key(Exchange exchange) {
        return settings.balance().key(exchange);
    }

    /** Takes a retry from the budget, a share of all requests; false when none is left. */
    public boolean retry(long now) {
        boolean granted = retryBudget.take(now);
        state.stats().retry(granted);
        return granted;
    }

    /** Counts a request that is sent again because its connection was stale. */
    public void countStale() {
        state.stats().stale();
    }

    /** Returns the number of endpoints. */
    public int size() {
        return state.endpoints().size();
    }

    EndpointSet endpoints() {
        return state.endpoints();
    }

    /** Replaces the endpoints after a DNS lookup. Removed endpoints finish their exchanges. */
    synchronized void endpoints(List<Endpoint> current) {
        if (retired) {
            return; // the result of a lookup that was under way
        }
        EndpointSet previous = state.endpoints();
        state.endpoints(EndpointSet.of(current, settings.balance()));
        previous.all().stream().filter(endpoint -> !current.contains(endpoint)).forEach(Endpoint::retire);
        pools.all().forEach(ConnectionPool::endpointsGone);
    }

    /**
     * Retires the upstream: it gets no new exchanges, and connections are closed as soon as they are idle. Exchanges that came before
     * continue unchanged, also those that only connect now.
     */
    public synchronized void retire() {
        retired = true;
        state.endpoints().all().forEach(Endpoint::retire);
        pools.all().forEach(ConnectionPool::endpointsGone);
        pools.forget(FORGOTTEN_AFTER);
    }

    /** Creates an endpoint that a DNS lookup added. */
    Endpoint added(SocketAddress address, EndpointSpec spec) {
        Endpoint endpoint = endpoint(address, spec);
        endpoint.health().warm(now());
        return endpoint;
    }

    private Endpoint endpoint(SocketAddress address, EndpointSpec spec) {
        return new Endpoint(
                address,
                spec.weight(),
                host(spec),
                new EndpointHealth(settings.health(), new HealthLog(settings.name(), address, healthLines)));
    }

    /** Returns the Host of requests to the endpoints of the specification; null for that of the client. */
    @Nullable
    Field host(EndpointSpec spec) {
        return settings.host().field(spec.address(), connector.tls() != null);
    }

    /** Returns the client of the exchange where the upstream expects a PROXY protocol header; else null. */
    public @Nullable ProxyProtocolSource source(Exchange exchange) {
        return settings.proxyProtocol() == UpstreamSettings.ProxyProtocol.OFF ? null : ProxyProtocolSource.of(exchange);
    }

    /** Registers the meters of this upstream under its name. */
    public void register(MeterRegistry meters) {
        String name = settings.name();
        state.stats().register(meters, name);
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, state.permits()::open, name, "open");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, this::idle, name, "idle");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, state.permits()::pending, name, "pending");
        if (breaker != null) {
            Meters.UPSTREAM_BREAKER.gauge(meters, breaker::value, name);
            breaker.register(meters);
        }
        Meters.UPSTREAM_IDLE_LIMIT.gauge(meters, () -> state.idleNanos(now()) / 1e9, name);
        Meters.UPSTREAM_ENDPOINTS.gauge(meters, this::size, name, "all");
        Meters.UPSTREAM_ENDPOINTS.gauge(meters, this::usable, name, "usable");
    }

    private long now() {
        return connector.ticker().nanoTime();
    }

    private long usable() {
        long now = now();
        return state.endpoints().all().stream()
                .filter(e -> e.health().usable(now))
                .count();
    }

    /** Returns the number of idle connections on all loops. */
    public int idle() {
        return pools.all().stream().mapToInt(ConnectionPool::idle).sum();
    }

    /** Notifies the pools of all event loops. */
    private final class PermitListener implements Permits.Listener {

        @Override
        public void permitWanted() {
            pools.all().forEach(ConnectionPool::permitWanted);
        }

        @Override
        public void placeWanted() {
            pools.all().forEach(ConnectionPool::placeWanted);
        }

        @Override
        public void report(PreemptionRounds.Round round) {
            Collection<ConnectionPool> all = pools.all();
            round.expect(all.size());
            all.forEach(pool -> pool.report(round));
        }

        @Override
        public void permitReturned() {
            pools.all().forEach(ConnectionPool::permitReturned);
        }
    }
}
