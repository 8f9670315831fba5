package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to the servers of one upstream, lent to one exchange after the other. An exchange never leaves its
 * loop; only permits are shared between loops.
 *
 * <p>Event loop only, but for {@link #permitWanted}, {@link #permitReturned}, {@link #endpointsGone} and {@link #idle}.
 */
public interface ConnectionPool {

    /** Who wants a connection. */
    interface Waiter {

        /**
         * Lent until its exchange is over.
         *
         * @param now of {@link System#nanoTime}
         */
        void acquired(ConnectionLease lease, long now);

        /** @param failed the endpoint that could not be connected to, or null when it never came to that */
        void refused(Refusal refusal, @Nullable Endpoint failed);

        /** Whether it still wants one; one that was answered in another way does not, even before it leaves. */
        boolean wants();

        /** Whether it wants none that served before and was left alone meanwhile, since one of those just proved stale. */
        boolean fresh();

        /** What decides its server, where that is by a key. */
        long key();

        /** Who asks, where the upstream is told at the beginning of each connection. */
        @Nullable
        ProxyProtocolSource source();
    }

    /**
     * Lends what is there, opens a connection, or lets the waiter wait for one within the connect time-out.
     *
     * @param avoid an endpoint that failed this exchange already
     * @param now of {@link System#nanoTime}, or the instant of this pass of the loop that was read last
     */
    void acquire(Waiter waiter, @Nullable Endpoint avoid, long now);

    /** It wants none any more, and neither holds a place in a line nor a connection that is being opened; nothing happens when it has waited for none. */
    void leave(Waiter waiter);

    /** Another loop needs a connection and there is no permit left: give up one that nobody uses. */
    void permitWanted();

    /** A permit is free again: whoever waits here may open a connection. */
    void permitReturned();

    /** Servers are gone: nobody will ask for connections to them. */
    void endpointsGone();

    /** Connections that nobody uses now. */
    int idle();
}
