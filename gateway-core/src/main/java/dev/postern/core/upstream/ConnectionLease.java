package dev.postern.core.upstream;

/** What an exchange has to itself while it lasts: a connection, or one stream of a connection that others use too. Event loop only. */
public interface ConnectionLease {

    /** The protocol to send the exchange by. */
    UpstreamStream stream();

    /** The server at the other end. */
    Endpoint endpoint();

    /** Whether the connection served before: only then may its sudden death mean nothing but that it was stale. */
    boolean reused();

    /** Gives it back without having used it. */
    void unused();
}
