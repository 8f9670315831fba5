package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stage of an exchange: passes the exchange on, refuses it, or suspends it and passes it on later.
 *
 * <p>A stage is stateless and shared by all connections, since all state is in the exchange. The stage knows only its successor, which is
 * set once, before the first exchange. {@link #proceed} drops an exchange that ended meanwhile (the client closed the connection), so a
 * stage that suspended an exchange need not check.
 */
public abstract class ExchangeStage {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeStage.class);

    private final StageName stage;
    private @Nullable ExchangeStage next;

    /** @param stage name whose time ends when the exchange is passed on */
    protected ExchangeStage(StageName stage) {
        this.stage = stage;
    }

    /** Processes an exchange; called on its loop. */
    protected abstract void onExchange(Exchange exchange);

    /** Sets the successor of this stage. */
    final void followedBy(ExchangeStage following) {
        if (next != null) {
            throw new IllegalStateException(
                    getClass().getSimpleName() + ": already in a chain (expected: one stage object for each chain)");
        }
        next = following;
    }

    /** Takes an exchange; expects the exchange's own loop. */
    protected final void take(Exchange exchange) {
        try {
            onExchange(exchange);
        } catch (RuntimeException e) {
            // The client must get a response after any error of a stage, and an exchange that no stage passes on would
            // never end.
            LOG.error("{} failed at stage {}", getClass().getSimpleName(), stage.label(), e);
            refuse(exchange, Refusal.INTERNAL);
        }
    }

    /**
     * Passes the exchange to the next stage and records the time until now for this stage, unless {@link #mark} has just done so; expects
     * the exchange's own loop. No-op when the exchange has ended or a response has begun.
     */
    protected final void proceed(Exchange exchange) {
        if (!exchange.ended() && !exchange.responding()) {
            if (!exchange.timeline().marked(stage)) {
                exchange.timeline().mark(stage);
            }
            skip(exchange);
        }
    }

    /** Records the time until now for this stage; returns now, of the ticker of the loop. */
    protected final long mark(Exchange exchange) {
        return exchange.ended() ? exchange.now() : exchange.timeline().mark(stage);
    }

    /** Passes an exchange that this stage does not process to the next stage; records no time for this stage. */
    protected final void skip(Exchange exchange) {
        ExchangeStage following = next;
        if (following == null) {
            throw new IllegalStateException(stage.label() + ": last stage (expected: a response, nothing passed on)");
        }
        following.take(exchange);
    }

    /** Sends a local reply and ends the exchange here. */
    protected final void refuse(Exchange exchange, Refusal refusal) {
        exchange.timeline().mark(stage);
        exchange.refuse(refusal);
    }
}
