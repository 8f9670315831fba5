package dev.postern.core.upstream;

import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.LoopLocal;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A named group of servers: its endpoints, a pool for each event loop, and the bounds that all pools share. Thread-safe; what
 * {@link #pool} gives is not.
 */
public final class Upstream {

    private final UpstreamSettings settings;
    private final List<Endpoint> endpoints;
    private final LoopLocal<LoopPool> pools;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final LongAdder connects = new LongAdder();
    private final LongAdder connectFailures = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder reuses = new LongAdder();
    private final LongAdder retries = new LongAdder();

    public Upstream(UpstreamSettings settings, Connector connector, MeterRegistry meters) {
        this.settings = settings;
        List<Endpoint> parsed = new ArrayList<>();
        for (String text : settings.endpoints()) {
            if (text.startsWith(Endpoint.UNIX) && !connector.transport().isNative()) {
                throw new IllegalStateException("upstreams: " + settings.name() + ": endpoints: " + text
                        + " (expected: host:port, since the transport is "
                        + connector.transport().name() + " and only epoll has Unix sockets)");
            }
            parsed.add(new Endpoint(parsed.size(), Endpoint.parse(text)));
        }
        this.endpoints = List.copyOf(parsed);
        this.pools = new LoopLocal<>(loop -> new LoopPool(this, connector, loop));
        register(meters);
    }

    public String name() {
        return settings.name();
    }

    public UpstreamSettings settings() {
        return settings;
    }

    /** The pool of that loop; only on it. */
    public LoopPool pool(EventLoop loop) {
        return pools.get(loop);
    }

    /** Whether every endpoint is known to be down: then nobody need be asked for a token. */
    public boolean down(long now) {
        for (Endpoint endpoint : endpoints) {
            if (!endpoint.banned(now)) {
                return false;
            }
        }
        return true;
    }

    /** Share of requests that went over a connection which had served before, 0..1. */
    public double reuseRatio() {
        long all = requests.sum();
        return all == 0 ? 0 : (double) reuses.sum() / all;
    }

    public void countRetry() {
        retries.increment();
    }

    List<Endpoint> endpoints() {
        return endpoints;
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
            pools.all().forEach(LoopPool::permitReturned);
        }
    }

    boolean queue() {
        if (pending.incrementAndGet() > settings.pool().maxPending()) {
            pending.decrementAndGet();
            return false;
        }
        // Idle connections of other loops hold permits that nobody uses there.
        pools.all().forEach(LoopPool::permitWanted);
        return true;
    }

    void unqueue() {
        pending.decrementAndGet();
    }

    void countConnect(boolean success) {
        (success ? connects : connectFailures).increment();
    }

    void countRequest(boolean reused) {
        requests.increment();
        if (reused) {
            reuses.increment();
        }
    }

    private void register(MeterRegistry meters) {
        String name = settings.name();
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, open::get, name, "open");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, this::idle, name, "idle");
        Meters.UPSTREAM_CONNECTIONS.gauge(meters, pending::get, name, "pending");
        Meters.UPSTREAM_CONNECTS.count(meters, connects::sum, name, "ok");
        Meters.UPSTREAM_CONNECTS.count(meters, connectFailures::sum, name, "failed");
        Meters.UPSTREAM_REQUESTS.count(meters, requests::sum, name);
        Meters.UPSTREAM_REUSE.count(meters, reuses::sum, name);
        Meters.UPSTREAM_RETRIES.count(meters, retries::sum, name);
    }

    /** Connections that nobody uses now, on all loops. */
    public int idle() {
        return pools.all().stream().mapToInt(LoopPool::idle).sum();
    }
}
