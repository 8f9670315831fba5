package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.ForwardedFields;
import dev.postern.core.upstream.Connector;
import dev.postern.core.upstream.Wire;
import io.netty.channel.Channel;
import java.time.Duration;

/** An absolute-form exchange of a forward listener, over a connection of its own that no other client will ever share. */
final class SingleUse implements Wire.Owner, Passage.Owner {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Channel channel;
    private final String pseudonym;
    private final Passage passage;

    /** @param pseudonym how the gateway calls itself in Via */
    SingleUse(Exchange exchange, Connector connector, Channel channel, String pseudonym) {
        this.channel = channel;
        this.pseudonym = pseudonym;
        Wire wire = connector.protocol().apply(channel, this);
        Passage.Limits limits =
                new Passage.Limits(PATIENCE, PATIENCE, exchange.route().requestBody());
        this.passage = new Passage(exchange, wire, limits, this);
        exchange.whenEnded(ended -> passage.drop());
    }

    void start() {
        passage.start();
    }

    @Override
    public boolean again(Refusal why, boolean silent) {
        return false;
    }

    @Override
    public void answered(ResponseHead head) {
        ForwardedFields.answer(head, pseudonym);
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
