package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage of the way of exchanges: it passes an exchange on, refuses it, or suspends it and passes it on later.
 *
 * <p>Stateless and shared by all connections, since all state is in the message; it knows nothing but what stands behind it, which is said once,
 * before the first exchange comes. An exchange that ended meanwhile (the client went away) is dropped by {@link #proceed}, so a stage that suspended
 * one need not ask.
 */
public abstract class ExchangeStage {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeStage.class);

    private final StageName stage;
    private @Nullable ExchangeStage next;

    /** @param stage whose time ends when the exchange is passed on */
    protected ExchangeStage(StageName stage) {
        this.stage = stage;
    }

    /** Decides what becomes of an exchange; called on its loop. */
    protected abstract void onExchange(Exchange exchange);

    /** What passes this stage goes to that one. */
    final void followedBy(ExchangeStage following) {
        if (next != null) {
            throw new IllegalStateException(
                    getClass().getSimpleName() + ": stands on one way already (expected: a handler for each way)");
        }
        next = following;
    }

    /** An exchange comes; expects its own loop. */
    protected final void take(Exchange exchange) {
        try {
            onExchange(exchange);
        } catch (RuntimeException e) {
            // The client must get a response whatever we did wrong, and an exchange that nobody passes on would never
            // end.
            LOG.error("{} failed at stage {}", getClass().getSimpleName(), stage.label(), e);
            refuse(exchange, Refusal.INTERNAL);
        }
    }

    /**
     * Hands the exchange to the next stage and accounts the time until now to this one, unless {@link #mark} has just done so; expects the
     * exchange's own loop. Nothing happens when the exchange has ended or a response has begun.
     */
    protected final void proceed(Exchange exchange) {
        if (!exchange.ended() && !exchange.responding()) {
            if (!exchange.timeline().marked(stage)) {
                exchange.timeline().mark(stage);
            }
            skip(exchange);
        }
    }

    /** Accounts the time until now to this stage, for a meter; returns now, of {@link System#nanoTime}. */
    protected final long mark(Exchange exchange) {
        return exchange.ended() ? System.nanoTime() : exchange.timeline().mark(stage);
    }

    /** Hands an exchange that this stage has nothing to do with to the next stage; no time is accounted to this one. */
    protected final void skip(Exchange exchange) {
        ExchangeStage following = next;
        if (following == null) {
            throw new IllegalStateException(
                    stage.label() + ": last of its way (expected: a response, nothing passed on)");
        }
        following.take(exchange);
    }

    /** Sends a local reply; the exchange goes no further. */
    protected final void refuse(Exchange exchange, Refusal refusal) {
        exchange.timeline().mark(stage);
        exchange.refuse(refusal);
    }
}
