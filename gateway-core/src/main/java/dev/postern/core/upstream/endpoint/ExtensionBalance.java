package dev.postern.core.upstream.endpoint;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.spi.EndpointRule;

/** Balancer that chooses the endpoint of an exchange by an extension's rule; must not throw. */
public interface ExtensionBalance {

    /** Returns the key of an exchange, which the choosers receive. */
    long key(Exchange exchange);

    /** Creates a chooser for one event loop. */
    EndpointRule.Chooser open();
}
