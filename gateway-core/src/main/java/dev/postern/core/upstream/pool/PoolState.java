package dev.postern.core.upstream.pool;

import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSet;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.share.PreemptionRule;
import dev.postern.core.upstream.share.WaitingNetworks;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State that the pools of all event loops of one upstream share: endpoints, permits, counts and the learned idle time-out. Thread-safe. */
public final class PoolState {

    private static final Logger LOG = LoggerFactory.getLogger(PoolState.class);

    private final UpstreamSettings settings;
    private final Permits permits;
    private final WaitingNetworks networks = new WaitingNetworks();
    private final PreemptionRounds rounds;
    private final UpstreamStats stats;
    private final AdaptiveIdleTimeout idleTimeout;
    private volatile EndpointSet endpoints;

    public PoolState(UpstreamSettings settings, EndpointSet endpoints, UpstreamStats stats, Permits.Listener pools) {
        this.settings = settings;
        PreemptionRule rule = new PreemptionRule(settings.pool().maxShare().fraction());
        this.permits = new Permits(settings.pool(), rule, networks, pools);
        this.rounds = new PreemptionRounds(permits, networks, rule, pools);
        this.stats = stats;
        this.idleTimeout = new AdaptiveIdleTimeout(settings.pool());
        this.endpoints = endpoints;
    }

    String name() {
        return settings.name();
    }

    UpstreamSettings settings() {
        return settings;
    }

    public Permits permits() {
        return permits;
    }

    /** Client networks that wait for a connection. */
    WaitingNetworks networks() {
        return networks;
    }

    PreemptionRounds rounds() {
        return rounds;
    }

    public UpstreamStats stats() {
        return stats;
    }

    public EndpointSet endpoints() {
        return endpoints;
    }

    public void endpoints(EndpointSet current) {
        endpoints = current;
    }

    /** Age in nanoseconds at which an idle connection is closed. */
    public long idleNanos(long now) {
        return idleTimeout.nanos(now);
    }

    /** The upstream announced how long it keeps an idle connection. */
    void keepsFor(long seconds, long now) {
        if (idleTimeout.announced(seconds, now)) {
            LOG.info("upstream {}: keeps unused connections for {} s; the gateway closes them first", name(), seconds);
        }
    }

    /** The upstream closed a connection that had been idle for so long. */
    void closedIdle(long age, long now) {
        if (idleTimeout.closed(age, now)) {
            LOG.info(
                    "upstream {}: closes unused connections after {} ms; the gateway now closes them after {} ms",
                    name(),
                    TimeUnit.NANOSECONDS.toMillis(age),
                    TimeUnit.NANOSECONDS.toMillis(idleTimeout.nanos(now)));
        }
    }

    /** A connection to that endpoint could not be opened; it counts against the endpoint only where the endpoint is the cause. */
    void failed(Endpoint endpoint, Refusal cause, long now) {
        stats.connect(false);
        if (cause.blame() == FaultDomain.UPSTREAM) {
            endpoint.health().bad(true, now);
        }
    }
}
