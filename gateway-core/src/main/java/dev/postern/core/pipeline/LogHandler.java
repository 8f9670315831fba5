package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;

/** Sees every exchange first, refused ones too, and tells log and meters when it has ended. */
@Sharable
final class LogHandler extends ExchangeHandler {

    private final Exchange.EndListener log;

    LogHandler(Exchange.EndListener log) {
        super(Stage.RECEIVE);
        this.log = log;
    }

    @Override
    protected void onExchange(ChannelHandlerContext ctx, Exchange exchange) {
        exchange.whenEnded(log);
        pass(ctx, exchange);
    }
}
