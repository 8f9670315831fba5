package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.upstream.Connector;
import dev.postern.core.upstream.Wire;
import io.netty.channel.Channel;
import java.time.Duration;

/** An absolute-form exchange of a forward listener, over a connection of its own that no other client will ever share. */
final class SingleUse implements Wire.Owner {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Channel channel;
    private final Passage passage;

    SingleUse(Exchange exchange, Connector connector, Channel channel) {
        this.channel = channel;
        Wire wire = connector.protocol().apply(channel, this);
        Passage.Limits limits =
                new Passage.Limits(PATIENCE, PATIENCE, exchange.route().requestBody());
        this.passage = new Passage(exchange, wire, limits, (why, silent) -> false);
        exchange.whenEnded(ended -> passage.drop());
    }

    void start() {
        passage.start();
    }

    @Override
    public void free(boolean reusable) {
        channel.close();
    }

    @Override
    public void gone() {
        // nobody else counts it
    }
}
