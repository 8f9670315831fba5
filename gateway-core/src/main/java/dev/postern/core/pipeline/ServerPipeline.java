package dev.postern.core.pipeline;

import dev.postern.core.overload.Shedding;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import org.jspecify.annotations.Nullable;

/** The way of every exchange, written once and in reading order. Thread-safe: all handlers but the codec are shared. */
public final class ServerPipeline {

    private final Stages stages;
    private final ChannelHandler log;
    private final ChannelHandler match;
    private final ChannelHandler turn = new TurnHandler();

    /** @param shedding while it is on, new exchanges are refused */
    public ServerPipeline(Stages stages, Shedding shedding) {
        this.stages = stages;
        this.log = new LogHandler(stages.log());
        this.match = new MatchHandler(shedding);
    }

    /**
     * What stands before TLS.
     *
     * @param stall ends connections whose clients take nothing
     * @param proxyHeader reads who the client is, and fills the rest of the pipeline then; or null
     */
    public void begin(ChannelPipeline pipeline, ChannelHandler stall, @Nullable ChannelHandler proxyHeader) {
        // First: it looks at what the socket takes.
        add(pipeline, "stall", stall);
        // Before tls: that header is plain, whatever follows it.
        add(pipeline, "proxy-header", proxyHeader);
    }

    /**
     * @param codec turns the bytes or frames of this connection into exchanges, records their order, and alone writes; or finds out which
     *     codec that is, and gives it its place
     * @param tls decrypts before the codec reads, or null
     */
    public void fill(ChannelPipeline pipeline, @Nullable ChannelHandler tls, ChannelHandler codec) {
        // Before everything: whoever can't speak TLS gets nothing else.
        add(pipeline, "tls", tls);
        add(pipeline, "codec", codec);
        // First of the stages: a request that is refused for its framing must be logged too.
        add(pipeline, "log", log);
        // Before identify: what no route takes, or whose upstream is down, is not asked for a token.
        add(pipeline, "match", match);
        // Behind match: a user's stage knows the route; before identify: it may spare a visitor the token.
        add(pipeline, "matched", stages.matched());
        add(pipeline, "identify", stages.identify());
        // Before admit: forged tokens must open no tickets.
        add(pipeline, "verify", stages.verify());
        // Before spend: waiting never costs a token.
        add(pipeline, "admit", stages.admit());
        // Behind admit: what a user's stage does there it does for those alone who may pass; before spend: what it
        // refuses costs no token.
        add(pipeline, "admitted", stages.admitted());
        // Before spend: a token is spent only when its exchange may be forwarded.
        add(pipeline, "turn", turn);
        // Last before forward: nothing that could still refuse stands between.
        add(pipeline, "spend", stages.spend());
        add(pipeline, "forward", stages.forward());
    }

    private static void add(ChannelPipeline pipeline, String name, @Nullable ChannelHandler handler) {
        if (handler != null) {
            pipeline.addLast(name, handler);
        }
    }
}
