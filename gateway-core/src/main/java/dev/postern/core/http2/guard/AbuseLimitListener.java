package dev.postern.core.http2.guard;

import dev.postern.core.exchange.ClientConnection;

/** Told of each connection that ended because its client used a budget up; called on the client's event loop. */
@FunctionalInterface
public interface AbuseLimitListener {

    void over(AbuseLimit limit, ClientConnection client);
}
