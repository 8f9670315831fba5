package dev.postern.auth.verify;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Listener;
import dev.postern.core.route.Route;
import java.net.InetAddress;

/** Where a token is presented, and from where: all that decides which challenges it may answer. */
public record Place(Route route, Listener listener, InetAddress client) {

    /** Expects a stage after <i>match</i>. */
    public static Place of(Exchange exchange) {
        return new Place(Route.of(exchange), exchange.client().listener(), exchange.clientAddress());
    }
}
