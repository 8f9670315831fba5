package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.Route;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.pool.ConnectionLease;
import dev.postern.core.upstream.pool.ConnectionPool;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Preemption;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Proxied exchange: acquires connections until one attempt succeeds or the retry rule allows no other. */
final class ProxyExchange implements ConnectionPool.Waiter, AttemptOwner, Exchange.EndListener {

    private final Exchange exchange;
    private final Upstream upstream;
    private final ConnectionPool pool;
    private final ReverseProxy proxy;
    private @Nullable UpstreamAttempt attempt;
    private @Nullable Endpoint endpoint;
    private int connectFailures;
    private int leaves;
    private @Nullable ProxyProtocolSource source;
    private @Nullable AddressPrefix network;
    private long key;
    private boolean keyed;
    private boolean fresh;
    private long tryBegan;
    private boolean shortened;

    /** @param pool of the upstream, on the loop of the exchange */
    ProxyExchange(Exchange exchange, Upstream upstream, ConnectionPool pool, ReverseProxy proxy) {
        this.exchange = exchange;
        this.upstream = upstream;
        this.pool = pool;
        this.proxy = proxy;
    }

    void start() {
        exchange.outcome().upstream(upstream.name());
        exchange.whenEnded(this);
        limit(Route.of(exchange).timeout());
        if (upstream.admits(exchange)) {
            // No wait since the last stage: an idle connection counts no connect time.
            acquire(false, null, exchange.timeline().lastNanos());
        } else {
            exchange.refuse(Refusal.UPSTREAM_DOWN);
        }
    }

    private void limit(Duration timeout) {
        if (!timeout.isZero()) {
            ScheduledFuture<?> end = exchange.loop().schedule(this::late, timeout.toNanos(), TimeUnit.NANOSECONDS);
            exchange.whenEnded(ended -> end.cancel(false));
        }
    }

    /** Ends the exchange, whose total timeout is over. */
    private void late() {
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
        pool.acquire(this, avoid, now);
    }

    @Override
    public boolean fresh() {
        return fresh;
    }

    @Override
    public boolean unrepeatable() {
        return !RetryRule.repeatable(exchange.request());
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
    public AddressPrefix network() {
        AddressPrefix known = network;
        if (known == null) {
            known = exchange.clientPrefix();
            network = known;
        }
        return known;
    }

    @Override
    public Activity activity(long now) {
        UpstreamAttempt current = attempt;
        return current == null ? new Activity(Activity.Kind.UPSTREAM, 0) : current.activity(now);
    }

    @Override
    public void preempted(Preemption cause) {
        UpstreamAttempt current = attempt;
        if (current != null) {
            current.preempted(cause);
        }
    }

    @Override
    public boolean multiplexed() {
        return upstream.multiplexed();
    }

    @Override
    public boolean forwardsExpect() {
        return upstream.settings().expect() == UpstreamSettings.Expect.FORWARD;
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
        Endpoint leased = lease.endpoint();
        endpoint = leased;
        Field host = leased.host();
        if (host != null) {
            // At each attempt, since another endpoint may have another name; authority() stays the client's.
            exchange.request().remove(FieldName.HOST);
            exchange.request().add(host);
        }
        tryBegan = now;
        Duration firstByte = firstByte();
        UpstreamAttempt through = new UpstreamAttempt(exchange, lease.stream(), firstByte, timeouts.idle(), this);
        attempt = through;
        through.start(now);
    }

    /** Returns the time for the first byte of this try's response; a try that another one may follow has less. */
    private Duration firstByte() {
        Duration whole = upstream.settings().timeouts().firstByte();
        Duration perTry = upstream.settings().retry().perTry();
        shortened = silenceSendsElsewhere(tries() + 1) && perTry.compareTo(whole) < 0;
        return shortened ? perTry : whole;
    }

    private boolean silenceSendsElsewhere(int tries) {
        UpstreamSettings.Retry retry = upstream.settings().retry();
        return retry.afterSilence() && RetryRule.afterSilence(exchange.request(), upstream.size() > 1, tries);
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
        boolean late = refusal == Refusal.UPSTREAM_STALLED && silenceSendsElsewhere(tries);
        if (endpoint != null && countsAgainst(endpoint, refusal, reused && silent)) {
            endpoint.failed(exchange.now());
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

    private boolean countsAgainst(Endpoint tried, Refusal refusal, boolean stale) {
        return switch (refusal) {
            case UPSTREAM_STALLED -> RetryRule.silent(shortened, tried.respondedSince(tryBegan));
            case UPSTREAM_CLOSED -> !stale; // a stale connection is not the endpoint's failure
            default -> true;
        };
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
            pool.leave(this);
        }
    }
}
