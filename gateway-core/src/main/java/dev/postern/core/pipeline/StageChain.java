package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.List;

/**
 * Chain of stages, as the last handler of each client's channel: passes exchanges through the stages, which are the same objects for all
 * channels.
 *
 * <p>Stages are no channel handlers: the context that each would need for each connection costs more than the work of most stages (ADR 19).
 * Shared by all channels.
 */
@Sharable
public final class StageChain extends ChannelInboundHandlerAdapter {

    private final ExchangeStage first;

    /** @param stages in the order in which exchanges pass them, at least one; each belongs to one chain only */
    public StageChain(List<ExchangeStage> stages) {
        first = stages.get(0);
        for (int i = 1; i < stages.size(); i++) {
            stages.get(i - 1).followedBy(stages.get(i));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Exchange exchange) {
            first.take(exchange);
        } else {
            ctx.fireChannelRead(message);
        }
    }
}
