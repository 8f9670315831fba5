package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;

/** Lease of a connection, or of one stream of a shared connection, for one exchange. Event loop only. */
public interface ConnectionLease {

    /** Returns the stream that carries the exchange. */
    UpstreamStream stream();

    /** Returns the endpoint that the connection leads to. */
    Endpoint endpoint();

    /** Returns whether the connection served an exchange before: only then may a sudden close mean that the connection was stale. */
    boolean reused();

    /** Returns the connection to the pool unused. */
    void unused();
}
