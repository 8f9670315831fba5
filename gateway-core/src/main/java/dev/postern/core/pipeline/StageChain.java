package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.List;

/**
 * The last handler of each client's channel: sets exchanges on their way through the stages, which are the same objects for all channels.
 *
 * <p>Stages are no handlers of the channel, since what each of them would need there, a context for each connection, costs more than what most of
 * them do (ADR 19). Shared by all channels.
 */
@Sharable
public final class StageChain extends ChannelInboundHandlerAdapter {

    private final ExchangeStage first;

    /** @param stages in the order in which exchanges pass them, one at least; each stands on one way alone */
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
