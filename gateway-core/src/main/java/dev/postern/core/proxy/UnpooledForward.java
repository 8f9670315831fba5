package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.function.BiFunction;

/** Forward of an absolute-form exchange over an unpooled connection, which is never shared with another client. */
final class UnpooledForward implements UpstreamStream.Owner, AttemptOwner {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Channel channel;
    private final Via via;
    private final UpstreamAttempt attempt;

    /**
     * @param protocol adds the protocol to the pipeline of the connection
     * @param via the gateway's name in Via
     */
    UnpooledForward(
            Exchange exchange,
            BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
            Channel channel,
            Via via) {
        this.channel = channel;
        this.via = via;
        UpstreamStream stream = protocol.apply(channel, this);
        this.attempt = new UpstreamAttempt(exchange, stream, PATIENCE, PATIENCE, this);
        exchange.whenEnded(ended -> attempt.drop());
    }

    void start() {
        attempt.start(channel.eventLoop().ticker().nanoTime());
    }

    @Override
    public boolean retry(Refusal refusal, boolean silent) {
        return false;
    }

    @Override
    public boolean forwardsExpect() {
        return true;
    }

    @Override
    public void responded(ResponseHead head) {
        via.add(head);
    }

    @Override
    public void free(boolean reusable) {
        channel.close();
    }

    @Override
    public void gone() {
        // no pool counts this connection
    }
}
