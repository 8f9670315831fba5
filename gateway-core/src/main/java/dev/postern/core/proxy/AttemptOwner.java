package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import io.netty.channel.Channel;

/** Owner of an {@link UpstreamAttempt}: decides what follows an attempt. On the loop of the exchange. */
interface AttemptOwner {

    /** Handles an attempt without a response; true when the owner starts another attempt. */
    boolean retry(Refusal refusal, boolean silent);

    /** Receives the upstream's final head without hop-by-hop fields, to add the proxy's own fields. */
    void responded(ResponseHead head);

    /** Signals that the connection to the upstream becomes one half of a tunnel, before the client is notified. */
    default void tunnelled(Channel upstream) {}

    /** Signals the same for a stream: the exchange lasts as long as the tunnel. */
    default void tunnelled(Exchange exchange) {}

    /** Returns whether the attempt is a stream of a connection that others use too. */
    default boolean multiplexed() {
        return false;
    }

    /** Handles a request that the upstream did not process; true when the owner starts another attempt. */
    default boolean unprocessed(boolean leaving) {
        return false;
    }

    /** Returns whether the upstream decides on Expect, instead of the gateway. */
    default boolean forwardsExpect() {
        return false;
    }
}
