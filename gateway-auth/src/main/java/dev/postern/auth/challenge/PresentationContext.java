package dev.postern.auth.challenge;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.route.Route;
import java.net.InetAddress;

/** Context in which a token is presented: the data that decides which challenges are accepted. */
public record PresentationContext(Route route, ListenerInfo listener, InetAddress client) {

    /** Returns the context of an exchange; expects a stage after <i>match</i>. */
    public static PresentationContext of(Exchange exchange) {
        return new PresentationContext(Route.of(exchange), exchange.client().listener(), exchange.clientAddress());
    }
}
