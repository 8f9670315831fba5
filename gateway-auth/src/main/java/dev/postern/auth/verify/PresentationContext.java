package dev.postern.auth.verify;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.route.Route;
import java.net.InetAddress;

/** Where a token is presented, and from where: all that decides which challenges it may answer. */
public record PresentationContext(Route route, ListenerInfo listener, InetAddress client) {

    /** Expects a stage after <i>match</i>. */
    public static PresentationContext of(Exchange exchange) {
        return new PresentationContext(Route.of(exchange), exchange.client().listener(), exchange.clientAddress());
    }
}
