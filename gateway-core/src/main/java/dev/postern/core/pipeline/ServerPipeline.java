package dev.postern.core.pipeline;

import dev.postern.core.overload.LoadShedState;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way of every exchange, written once and in reading order. Thread-safe: all but the codec is shared by all channels. */
public final class ServerPipeline {

    private final StageChain chain;

    /** @param state while it is on, new exchanges are refused */
    public ServerPipeline(Stages stages, LoadShedState state) {
        List<ExchangeStage> all = new ArrayList<>();
        // First of the stages: a request that is refused for its framing must be logged too.
        all.add(new LogStage(stages.log()));
        // Behind log alone: what is refused from here on is traced too.
        add(all, stages.trace());
        // Before identify: what no route takes, or whose upstream is down, is not asked for a token.
        all.add(new MatchStage(state));
        // Behind match: a user's stage knows the route; before identify: it may spare a visitor the token.
        add(all, stages.matched());
        add(all, stages.identify());
        // Before admit: forged tokens must open no tickets.
        add(all, stages.verify());
        // Before spend: waiting never costs a token.
        add(all, stages.admit());
        // Behind admit: what a user's stage does there it does for those alone who may pass; before spend: what it
        // refuses costs no token.
        add(all, stages.admitted());
        // Before spend: a token is spent only when its exchange may be forwarded.
        all.add(new TurnStage());
        // Last before forward: nothing that could still refuse stands between.
        add(all, stages.spend());
        all.add(stages.forward());
        chain = new StageChain(all);
    }

    private static void add(List<ExchangeStage> all, @Nullable ExchangeStage stage) {
        if (stage != null) {
            all.add(stage);
        }
    }

    /**
     * What stands before TLS.
     *
     * @param stall ends connections whose clients take nothing
     * @param proxyHeader reads who the client is, and fills the rest of the pipeline then; or null
     */
    public void begin(ChannelPipeline pipeline, ChannelHandler stall, @Nullable ChannelHandler proxyHeader) {
        // First: it looks at what the socket takes.
        pipeline.addLast("stall", stall);
        // Before tls: that header is plain, whatever follows it.
        if (proxyHeader != null) {
            pipeline.addLast("proxy-header", proxyHeader);
        }
    }

    /**
     * @param codec turns the bytes or frames of this connection into exchanges, records their order, and alone writes; or finds out which
     *     codec that is, and gives it its place
     * @param tls decrypts before the codec reads, or null
     * @param firstBytes ends connections whose clients speak something else, or null where the codec does
     */
    public void fill(
            ChannelPipeline pipeline,
            @Nullable ChannelHandler firstBytes,
            @Nullable ChannelHandler tls,
            ChannelHandler codec) {
        // Before tls: what is none of TLS is answered in clear text.
        if (firstBytes != null) {
            pipeline.addLast("first-bytes", firstBytes);
        }
        // Before everything: whoever can't speak TLS gets nothing else.
        if (tls != null) {
            pipeline.addLast("tls", tls);
        }
        pipeline.addLast("codec", codec);
        pipeline.addLast("way", chain);
    }
}
