package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.pool.ConnectionLease;
import dev.postern.core.upstream.pool.ConnectionPool;
import io.netty.channel.Channel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Proxied exchange: acquires connections until one attempt succeeds or the retry rule allows no other. */
final class ProxyExchange implements ConnectionPool.Waiter, UpstreamAttempt.Owner, Exchange.EndListener {

    private final Exchange exchange;
    private final Upstream upstream;
    private final ReverseProxy proxy;
    private @Nullable UpstreamAttempt attempt;
    private @Nullable Endpoint endpoint;
    private int connectFailures;
    private int leaves;
    private @Nullable ProxyProtocolSource source;
    private long key;
    private boolean keyed;
    private boolean fresh;

    ProxyExchange(Exchange exchange, Upstream upstream, ReverseProxy proxy) {
        this.exchange = exchange;
        this.upstream = upstream;
        this.proxy = proxy;
    }

    void start() {
        exchange.outcome().upstream(upstream.name());
        exchange.whenEnded(this);
        if (upstream.admits(exchange)) {
            // No wait since the last stage: an idle connection counts no connect time.
            acquire(false, null, exchange.timeline().lastNanos());
        } else {
            exchange.refuse(Refusal.UPSTREAM_DOWN);
        }
    }

    /** Ends the exchange, whose total timeout is over. */
    void late() {
        UpstreamAttempt current = attempt;
        if (current != null) {
            current.tooLong();
        } else {
            exchange.refuse(Refusal.UPSTREAM_STALLED);
        }
    }

    private void acquireAgain(boolean onlyFresh, @Nullable Endpoint avoid) {
        acquire(onlyFresh, avoid, exchange.now());
    }

    private void acquire(boolean onlyFresh, @Nullable Endpoint avoid, long now) {
        fresh = onlyFresh;
        upstream.pool(exchange.loop()).acquire(this, avoid, now);
    }

    @Override
    public boolean fresh() {
        return fresh;
    }

    @Override
    public long key() {
        if (!keyed) {
            keyed = true;
            key = upstream.key(exchange);
        }
        return key;
    }

    @Override
    public @Nullable ProxyProtocolSource source() {
        if (source == null) {
            source = upstream.source(exchange);
        }
        return source;
    }

    @Override
    public boolean active() {
        return !exchange.ended() && !exchange.responding();
    }

    @Override
    public void acquired(ConnectionLease lease, long now) {
        if (!active()) {
            lease.unused();
            return;
        }
        exchange.timeline().mark(StageName.CONNECT, now);
        exchange.outcome().reused(lease.reused());
        UpstreamSettings.Timeouts timeouts = upstream.settings().timeouts();
        endpoint = lease.endpoint();
        Duration firstByte = silenceSendsElsewhere() ? shorter(timeouts.firstByte()) : timeouts.firstByte();
        UpstreamAttempt through = new UpstreamAttempt(exchange, lease.stream(), firstByte, timeouts.idle(), this);
        attempt = through;
        through.start(now);
    }

    private boolean silenceSendsElsewhere() {
        return RetryRule.afterSilence(exchange.request(), upstream.size() > 1, tries() + 1);
    }

    private Duration shorter(Duration firstByte) {
        Duration perTry = upstream.settings().retry().perTry();
        return perTry.compareTo(firstByte) < 0 ? perTry : firstByte;
    }

    @Override
    public void refused(Refusal refusal, @Nullable Endpoint failed) {
        exchange.timeline().mark(StageName.CONNECT);
        if (!active()) {
            return;
        }
        boolean ours = refusal == Refusal.OVERLOADED;
        if (ours) {
            exchange.outcome().reason(Connector.NO_DESCRIPTOR);
        }
        boolean repeated = failed != null && !ours && RetryRule.afterConnect(++connectFailures, upstream.size());
        if (repeated && upstream.retry(exchange.now())) {
            acquireAgain(false, failed);
        } else {
            exchange.refuse(refusal);
        }
    }

    // ---- results of attempts

    @Override
    public void responded(ResponseHead head) {
        if (endpoint != null) {
            endpoint.responded(head.status(), exchange.timeline().lastNanos());
        }
        proxy.responded(head);
    }

    @Override
    public void tunnelled(Channel connection) {
        proxy.tunnelled(connection);
    }

    @Override
    public void tunnelled(Exchange tunnel) {
        proxy.tunnelled(tunnel);
    }

    @Override
    public boolean unprocessed(boolean leaving) {
        // An endpoint that shuts down, as each does at times, costs no retry budget; an overloaded one does.
        boolean granted = leaving
                ? RetryRule.afterLeave(++leaves)
                : RetryRule.afterNothing(tries()) && upstream.retry(exchange.now());
        if (!granted) {
            return false;
        }
        if (leaving) {
            upstream.countStale();
        }
        attempt = null;
        exchange.body().pause(); // the attempt that is over must not receive body bytes
        acquireAgain(false, leaving ? null : endpoint);
        return true;
    }

    @Override
    public boolean retry(Refusal refusal, boolean silent) {
        boolean reused = exchange.outcome().reused();
        int tries = tries();
        boolean stale = RetryRule.afterLoss(exchange.request(), refusal, reused, silent, tries);
        boolean late = refusal == Refusal.UPSTREAM_STALLED
                && RetryRule.afterSilence(exchange.request(), upstream.size() > 1, tries);
        if (endpoint != null && !(refusal == Refusal.UPSTREAM_CLOSED && reused && silent)) {
            endpoint.failed(exchange.now()); // a stale connection is not the endpoint's failure
        }
        // A stale connection costs no retry budget: an endpoint that closes many connections fails no GET.
        if (!(stale || late && upstream.retry(exchange.now()))) {
            return false;
        }
        if (stale) {
            upstream.countStale();
        }
        attempt = null;
        acquireAgain(stale, late ? endpoint : null);
        return true;
    }

    /** Returns the number of attempts, without those that ended because an endpoint shut down. */
    private int tries() {
        return exchange.outcome().tries() - leaves;
    }

    @Override
    public void ended(Exchange ended) {
        UpstreamAttempt current = attempt;
        if (current != null) {
            current.drop();
        } else {
            upstream.pool(exchange.loop()).leave(this);
        }
    }
}
