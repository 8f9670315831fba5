package dev.postern.core.pipeline;

import dev.postern.core.headers.Via;
import dev.postern.core.overload.LoadShedState;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pipeline of the gateway: the handlers of a client's channel and the stages of an exchange, written once and in order. Thread-safe: all
 * but the codec is shared by all channels.
 */
public final class ServerPipeline {

    private final StageChain chain;

    /**
     * @param state load shedding: while active, new exchanges are refused
     * @param via the gateway's name in Via
     * @param clock for the time in request ids
     */
    public ServerPipeline(Stages stages, LoadShedState state, Via via, InstantSource clock) {
        List<ExchangeStage> all = new ArrayList<>();
        // First: a request that is refused for its framing must be logged too.
        all.add(new LogStage(stages.log()));
        // Before each stage that may refuse: the client of any refusal can tell its id.
        all.add(new RequestIdStage(clock));
        // After log: exchanges that are refused later are traced too.
        add(all, stages.trace());
        // Before match: the route is that of the described request; after id and log: a question has them as any
        // request.
        add(all, stages.question());
        // Before identify: an exchange without a route, or whose upstream is down, needs no token.
        all.add(new MatchStage(state, via));
        // After match: an extension's stage knows the route; before identify: the stage may exempt an exchange from the
        // token.
        add(all, stages.matched());
        add(all, stages.identify());
        // Before admit: forged tokens must open no tickets.
        add(all, stages.verify());
        // Before spend: waiting never costs a token.
        add(all, stages.admit());
        // After admit: an extension's stage runs for admitted exchanges only; before spend: a refusal there costs no
        // token.
        add(all, stages.admitted());
        // Before spend: a token is spent only when its exchange may be forwarded.
        all.add(new TurnStage());
        // Last before forward: no later stage can refuse.
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
     * Adds the handlers before TLS.
     *
     * @param writeTimeout closes connections whose clients do not read
     * @param proxyHeader reads the client's address, then adds the rest of the pipeline; or null
     */
    public void begin(ChannelPipeline pipeline, ChannelHandler writeTimeout, @Nullable ChannelHandler proxyHeader) {
        // First: the handler observes writes to the socket.
        pipeline.addLast("stall", writeTimeout);
        // Before tls: the header is in clear text even when TLS follows.
        if (proxyHeader != null) {
            pipeline.addLast("proxy-header", proxyHeader);
        }
    }

    /**
     * @param firstBytes closes connections that speak another protocol, or null where the codec does
     * @param tls decrypts before the codec reads, or null
     * @param codec decodes the bytes or frames of this connection into exchanges, keeps their order, and is the only writer; or a handler
     *     that detects the codec and replaces itself with it
     */
    public void fill(
            ChannelPipeline pipeline,
            @Nullable ChannelHandler firstBytes,
            @Nullable ChannelHandler tls,
            ChannelHandler codec) {
        // Before tls: HTTP in clear text gets a response in clear text.
        if (firstBytes != null) {
            pipeline.addLast("first-bytes", firstBytes);
        }
        // Before codec: the gateway processes no bytes before the TLS handshake.
        if (tls != null) {
            pipeline.addLast("tls", tls);
        }
        pipeline.addLast("codec", codec);
        pipeline.addLast("stages", chain);
    }
}
