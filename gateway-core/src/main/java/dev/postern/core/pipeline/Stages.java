package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import io.netty.channel.ChannelHandler;
import org.jspecify.annotations.Nullable;

/**
 * What stands at each stage of {@link ServerPipeline}; all are shared by all connections. A stage that nobody asked for is null.
 *
 * @param log told of every exchange that ended
 * @param identify token decoding
 * @param verify token verification
 * @param admit rate limits and rooms
 * @param spend the spend ledger
 * @param forward the end of the way
 * @param matched stages of users behind <i>match</i>
 * @param admitted stages of users behind <i>admit</i>
 */
public record Stages(
        Exchange.EndListener log,
        @Nullable ChannelHandler identify,
        @Nullable ChannelHandler verify,
        @Nullable ChannelHandler admit,
        @Nullable ChannelHandler spend,
        ChannelHandler forward,
        @Nullable ChannelHandler matched,
        @Nullable ChannelHandler admitted) {

    /** Without stages of users. */
    public Stages(
            Exchange.EndListener log,
            @Nullable ChannelHandler identify,
            @Nullable ChannelHandler verify,
            @Nullable ChannelHandler admit,
            @Nullable ChannelHandler spend,
            ChannelHandler forward) {
        this(log, identify, verify, admit, spend, forward, null, null);
    }
}
