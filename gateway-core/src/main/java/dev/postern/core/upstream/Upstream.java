package dev.postern.core.upstream;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Refusal;
import dev.postern.core.metrics.Meters;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A named group of servers: its endpoints, a pool for each event loop, and the bounds that all pools share. Thread-safe; what
 * {@link #pool} gives is not.
 */
public final class Upstream {

    /** The cache of names asks again only when their time to live is over. */
    private static final long LOOKUP_SECONDS = 5;

    /** Exchanges that were under way when it retired have found their pool by then. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);

    private final UpstreamSettings settings;
    private final List<EndpointSpec> specs;
    private final Connector connector;
    private final AdaptiveIdleTimeout timeout;
    private final RetryBudget retryBudget;
    private final @Nullable UpstreamBreaker breaker;
    private final EventLoopLocal<ConnectionPool> pools;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final UpstreamStats stats;
    private volatile EndpointSet endpoints;
    private boolean retired;

    /** One that meters show from the beginning. */
    public Upstream(UpstreamSettings settings, Connector connector, MeterRegistry meters) {
        this(settings, connector, (Upstream) null);
        register(meters);
    }

    /**
     * One that no meter shows before {@link #register}.
     *
     * @param before whose place it takes, so that what was counted goes on; null for nobody
     */
    public Upstream(UpstreamSettings settings, Connector connector, @Nullable Upstream before) {
        this.settings = settings;
        this.stats = before == null ? new UpstreamStats() : before.stats;
        this.connector = connector;
        this.timeout = new AdaptiveIdleTimeout(settings.pool());
        this.retryBudget = new RetryBudget(settings.retry().share(), stats::requests);
        this.breaker = settings.breaker() == null ? null : new UpstreamBreaker(settings.name(), settings.breaker());
        this.specs = settings.endpoints().stream().map(EndpointSpec::of).toList();
        specs.forEach(spec -> spec.requireReachable(connector.transport(), settings.name()));
        this.endpoints = EndpointSet.of(
                specs.stream()
                        .map(spec -> endpoint(spec.address(), spec.weight()))
                        .toList(),
                settings.balance());
        UpstreamConnection.Factory links = connector.links();
        this.pools = new EventLoopLocal<>(loop -> links == null
                ? new Http1ConnectionPool(this, connector, loop)
                : new Http2ConnectionPool(this, connector, links, loop));
    }

    public String name() {
        return settings.name();
    }

    public UpstreamSettings settings() {
        return settings;
    }

    /** Whether another one of these settings, connected to in that way, would be no other one. */
    public boolean same(UpstreamSettings others, Connector way) {
        boolean multiplexed = connector.links() != null;
        return settings.equals(others)
                && multiplexed == (way.links() != null)
                && ClientTls.same(connector.tls(), way.tls());
    }

    /** Looks after the servers from that loop, until it is closed: names are looked up again, and servers are asked how they are. */
    public AutoCloseable watch(EventLoop loop) {
        List<ScheduledFuture<?>> rounds = new ArrayList<>();
        if (specs.stream().anyMatch(EndpointSpec::watched)) {
            DnsEndpointResolver names =
                    new DnsEndpointResolver(this, specs, connector.resolver().getResolver(loop));
            rounds.add(loop.scheduleWithFixedDelay(names::run, 0, LOOKUP_SECONDS, TimeUnit.SECONDS));
        }
        UpstreamSettings.Check check = settings.health().check();
        if (check != null) {
            Connector.Place place = new Connector.Place("health check " + name(), settings.sockets());
            ConnectSpec connectSpec = new ConnectSpec(connector, loop, place, settings.proxyProtocol());
            rounds.add(loop.scheduleWithFixedDelay(
                    () -> endpoints.all().forEach(endpoint -> HealthChecker.run(connectSpec, check, endpoint)),
                    0,
                    check.interval().toNanos(),
                    TimeUnit.NANOSECONDS));
        }
        return () -> rounds.forEach(round -> round.cancel(false));
    }

    /** What is spoken below the protocol, or null for plain TCP. */
    public @Nullable ClientTls tls() {
        return connector.tls();
    }

    /** The pool of that loop; only on it. */
    public ConnectionPool pool(EventLoop loop) {
        return pools.get(loop);
    }

    /** Whether every server is known to be down, or too much failed lately: then nobody need be asked for a token. */
    public boolean down(long now) {
        return breaker != null && breaker.open(now) || endpoints.down(now);
    }

    /** Whether the exchange may be sent; if so, what becomes of it is noted when it has ended. */
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

    private static void note(UpstreamBreaker guard, Outcome outcome) {
        Refusal refusal = outcome.refusal();
        boolean ours = refusal != null && refusal.blame() == FaultDomain.GATEWAY;
        if (refusal != null && refusal.blame() == FaultDomain.UPSTREAM || !ours && Endpoint.unable(outcome.status())) {
            guard.failed();
        } else if (ours || outcome.status() == 0) {
            guard.withdrawn();
        } else {
            guard.succeeded();
        }
    }

    /**
     * What it was used for since the start.
     *
     * @param connects connections that were opened
     * @param waiting exchanges that wait for a connection now
     */
    public record Traffic(long connects, long requests, int waiting) {}

    /**
     * How it is just now.
     *
     * @param open connections
     * @param idle connections among them that nobody uses
     * @param servers all of them
     * @param usable servers that are not left out
     * @param breaker 0 closed, 0.5 while a few try, 1 open
     */
    public record State(Traffic traffic, int open, int idle, int servers, long usable, double breaker) {}

    /** From any thread; counts on every loop, so not for every exchange. */
    public State state() {
        return new State(traffic(), open.get(), idle(), size(), usable(), breaker == null ? 0 : breaker.value());
    }

    public Traffic traffic() {
        return new Traffic(stats.connects(), stats.requests(), pending.get());
    }

    /** Share of requests that went over a connection which had served before, 0..1. */
    public double reuseRatio() {
        return stats.reuseRatio();
    }

    /** What decides the server of that exchange, where that is by a key; else 0. */
    public long key(Exchange exchange) {
        return settings.balance().key(exchange);
    }

    /** Whether a request may be sent again: a share of all requests may, so that retries don't become the load. */
    public boolean retry() {
        boolean granted = retryBudget.take(System.nanoTime());
        stats.retry(granted);
        return granted;
    }

    /** A request is sent again because its connection was dead before. */
    public void countStale() {
        stats.stale();
    }

    /** How many servers it has now. */
    public int size() {
        return endpoints.size();
    }

    EndpointSet endpoints() {
        return endpoints;
    }

    /** Names lead to other servers now. Those that are gone finish what they do. */
    synchronized void endpoints(List<Endpoint> current) {
        if (retired) {
            return; // the response of a lookup that was under way
        }
        EndpointSet before = endpoints;
        endpoints = EndpointSet.of(current, settings.balance());
        before.all().stream().filter(endpoint -> !current.contains(endpoint)).forEach(Endpoint::retire);
        pools.all().forEach(ConnectionPool::endpointsGone);
    }

    /**
     * No new exchange is sent here: connections are closed as soon as nobody uses them. Those that came before end as they began, also when
     * they only connect now.
     */
    public synchronized void retire() {
        retired = true;
        endpoints.all().forEach(Endpoint::retire);
        pools.all().forEach(ConnectionPool::endpointsGone);
        pools.forget(FORGOTTEN_AFTER);
    }

    /** A server that a name leads to since now. */
    Endpoint added(SocketAddress address, int weight) {
        Endpoint endpoint = endpoint(address, weight);
        endpoint.health().warm(System.nanoTime());
        return endpoint;
    }

    private Endpoint endpoint(SocketAddress address, int weight) {
        return new Endpoint(address, weight, new EndpointHealth(settings.health()));
    }

    long idleNanos(long now) {
        return timeout.nanos(now);
    }

    void keepsFor(long seconds, long now) {
        if (timeout.told(seconds, now)) {
            LOG.info("upstream {}: keeps unused connections for {} s; we close them before", name(), seconds);
        }
    }

    void closedIdle(long age, long now) {
        if (timeout.closed(age, now)) {
            LOG.info(
                    "upstream {}: closes unused connections after {} ms; we close them after {} ms from now on",
                    name(),
                    TimeUnit.NANOSECONDS.toMillis(age),
                    TimeUnit.NANOSECONDS.toMillis(timeout.nanos(now)));
        }
    }

    /** Who that exchange is for, where servers are told at the beginning of each connection; else null. */
    public @Nullable ProxyProtocolSource source(Exchange exchange) {
        return settings.proxyProtocol() == UpstreamSettings.ProxyProtocol.OFF ? null : ProxyProtocolSource.of(exchange);
    }

    boolean takePermit() {
        for (int now = open.get(); now < settings.pool().maxConnections(); now = open.get()) {
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** A connection is gone: whoever waits on any loop may open one. */
    void returnPermit() {
        open.decrementAndGet();
        if (pending.get() > 0) {
            pools.all().forEach(ConnectionPool::permitReturned);
        }
    }

    boolean queue() {
        if (pending.incrementAndGet() > settings.pool().maxPending()) {
            pending.decrementAndGet();
            return false;
        }
        // Idle connections of other loops hold permits that nobody uses there.
        pools.all().forEach(ConnectionPool::permitWanted);
        return true;
    }

    /** Whether somebody waits for a connection on any loop. */
    boolean contended() {
        return pending.get() > 0;
    }

    void unqueue() {
        pending.decrementAndGet();
    }

    /** Whether exchanges wait for a connection, on whichever loop. */
    boolean wanted() {
        return pending.get() > 0;
    }

    UpstreamStats stats() {
        return stats;
    }

    /** No connection to that endpoint could be had; which says something of it only when it had a part in that. */
    void failed(Endpoint endpoint, Refusal cause) {
        stats.connect(false);
        if (cause.blame() == FaultDomain.UPSTREAM) {
            endpoint.health().bad(true, System.nanoTime());
        }
    }

    /** Lets the meters of that name show this one. */
    public void register(MeterRegistry meters) {
        String name = settings.name();
        stats.register(meters, name);
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, open::get, name, "open");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, this::idle, name, "idle");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, pending::get, name, "pending");
        if (breaker != null) {
            Meters.UPSTREAM_BREAKER.gauge(meters, breaker::value, name);
            breaker.register(meters);
        }
        Meters.UPSTREAM_IDLE_LIMIT.gauge(meters, () -> idleNanos(System.nanoTime()) / 1e9, name);
        Meters.UPSTREAM_ENDPOINTS.gauge(meters, this::size, name, "all");
        Meters.UPSTREAM_ENDPOINTS.gauge(meters, this::usable, name, "usable");
    }

    private long usable() {
        long now = System.nanoTime();
        return endpoints.all().stream().filter(e -> e.health().usable(now)).count();
    }

    /** Connections that nobody uses now, on all loops. */
    public int idle() {
        return pools.all().stream().mapToInt(ConnectionPool::idle).sum();
    }
}
