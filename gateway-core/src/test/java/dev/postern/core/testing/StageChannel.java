package dev.postern.core.testing;

import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.StageChain;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;

/** Runs stages without a socket: exchanges written to the channel pass the stages, and those that passed all of them can be read from it. */
public final class StageChannel {

    private StageChannel() {}

    public static EmbeddedChannel of(ExchangeStage... stages) {
        EmbeddedChannel channel = new EmbeddedChannel();
        add(channel, stages);
        return channel;
    }

    /** Adds stages that exchanges written to the channel pass. */
    public static void add(EmbeddedChannel channel, ExchangeStage... stages) {
        List<ExchangeStage> all = new ArrayList<>(List.of(stages));
        all.add(new LastStage(
                passed -> channel.pipeline().context(StageChain.class).fireChannelRead(passed)));
        channel.pipeline().addLast(new StageChain(all));
    }
}
