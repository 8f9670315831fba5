package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.refusal.Refusal;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stage of the pipeline: it passes an exchange on, refuses it, or suspends it and passes it on later.
 *
 * <p>Stateless and shared by all connections, since all state is in the message. An exchange that ended meanwhile (the client went away)
 * is dropped by {@link #pass}, so a stage that suspended one need not ask.
 */
@Sharable
public abstract class ExchangeHandler extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(ExchangeHandler.class);

    private final Stage stage;

    /** @param stage whose time ends when the exchange is passed on */
    protected ExchangeHandler(Stage stage) {
        this.stage = stage;
    }

    /** Decides what becomes of an exchange; called on its loop. */
    protected abstract void onExchange(ChannelHandlerContext ctx, Exchange exchange);

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Exchange exchange) {
            try {
                onExchange(ctx, exchange);
            } catch (RuntimeException e) {
                // The client must get an answer whatever we did wrong, and an exchange that nobody passes on would
                // never end.
                LOG.error("{} failed at stage {}", getClass().getSimpleName(), stage.label(), e);
                refuse(exchange, Refusal.INTERNAL);
            }
        } else {
            ctx.fireChannelRead(message);
        }
    }

    /** Hands the exchange to the next stage; expects the exchange's own loop. */
    protected final void pass(ChannelHandlerContext ctx, Exchange exchange) {
        if (!exchange.ended() && !exchange.answering()) {
            exchange.timeline().mark(stage);
            ctx.fireChannelRead(exchange);
        }
    }

    /** Hands on at once what this stage has nothing to do with: no time of it is this stage's. */
    protected final void skip(ChannelHandlerContext ctx, Exchange exchange) {
        ctx.fireChannelRead(exchange);
    }

    /** Answers by ourselves; the exchange goes no further. */
    protected final void refuse(Exchange exchange, Refusal refusal) {
        exchange.timeline().mark(stage);
        exchange.refuse(refusal);
    }
}
