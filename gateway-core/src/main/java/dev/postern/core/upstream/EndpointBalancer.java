package dev.postern.core.upstream;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.EndpointRule;

/** Chooses the server of an exchange by a rule that is not the gateway's own; must not throw. */
public interface EndpointBalancer {

    /** The key of an exchange, which the choosers are given. */
    long key(Exchange exchange);

    /** A chooser for one event loop. */
    EndpointRule.Chooser open();
}
