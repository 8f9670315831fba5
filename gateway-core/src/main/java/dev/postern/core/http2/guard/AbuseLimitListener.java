package dev.postern.core.http2.guard;

import dev.postern.core.exchange.ClientConnection;

/** Listener for connections that ended because the client exceeded a limit; called on the client's event loop. */
@FunctionalInterface
public interface AbuseLimitListener {

    void over(AbuseLimit limit, ClientConnection client);
}
