package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.exchange.Stage;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.upstream.Connection;
import dev.postern.core.upstream.Endpoint;
import dev.postern.core.upstream.LoopPool;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.UpstreamSettings;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** One exchange on its way through an upstream: gets connections until one passage succeeds or no rule allows another. */
final class Forwarding implements LoopPool.Waiter, Passage.Owner {

    private final Exchange exchange;
    private final Upstream upstream;
    private final ReverseProxy proxy;
    private @Nullable Passage passage;
    private int connectFailures;
    private boolean reused;

    Forwarding(Exchange exchange, Upstream upstream, ReverseProxy proxy) {
        this.exchange = exchange;
        this.upstream = upstream;
        this.proxy = proxy;
    }

    void start() {
        exchange.outcome().upstream(upstream.name());
        exchange.whenEnded(ended -> stop());
        acquire(false, null);
    }

    /** The whole exchange took too long. */
    void late() {
        Passage current = passage;
        if (current != null) {
            current.late();
        } else {
            exchange.refuse(Refusal.UPSTREAM_STALLED);
        }
    }

    private void acquire(boolean fresh, @Nullable Endpoint avoid) {
        upstream.pool(exchange.loop()).acquire(this, fresh, avoid);
    }

    @Override
    public boolean wants() {
        return !exchange.ended() && !exchange.answering();
    }

    @Override
    public void acquired(Connection connection) {
        if (!wants()) {
            connection.unused();
            return;
        }
        reused = connection.reused();
        exchange.timeline().mark(Stage.CONNECT);
        exchange.outcome().reused(reused);
        UpstreamSettings settings = upstream.settings();
        Passage.Limits limits = new Passage.Limits(
                settings.firstByte(), settings.idle(), exchange.route().requestBody());
        Passage next = new Passage(exchange, connection.wire(), limits, this);
        passage = next;
        next.start();
    }

    @Override
    public void refused(Refusal why, @Nullable Endpoint failed) {
        exchange.timeline().mark(Stage.CONNECT);
        if (!wants()) {
            return;
        }
        if (failed != null
                && RetryRule.afterConnect(
                        ++connectFailures, upstream.settings().endpoints().size())) {
            upstream.countRetry();
            acquire(false, failed);
        } else {
            exchange.refuse(why);
        }
    }

    @Override
    public boolean again(Refusal why, boolean silent) {
        if (!RetryRule.afterLoss(
                exchange.request(), why, reused, silent, exchange.outcome().tries())) {
            return false;
        }
        upstream.countRetry();
        passage = null;
        acquire(true, null);
        return true;
    }

    @Override
    public void answered(ResponseHead head) {
        proxy.answered(head);
    }

    @Override
    public void tunnelled(Channel connection) {
        proxy.tunnelled(connection);
    }

    private void stop() {
        Passage current = passage;
        if (current != null) {
            current.drop();
        }
    }
}
