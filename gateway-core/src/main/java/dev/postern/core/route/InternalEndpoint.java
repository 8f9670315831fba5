package dev.postern.core.route;

import dev.postern.core.exchange.Exchange;

/** Endpoint that the gateway serves itself under {@code /.postern/} of its reverse listeners, without token and room. */
@FunctionalInterface
public interface InternalEndpoint {

    /** Prefix of all paths that never go to an upstream. */
    String PREFIX = "/.postern/";

    /** Responds with {@link Exchange#reply} or {@link Exchange#refuse}, now or later, on the loop of the exchange. */
    void serve(Exchange exchange);
}
