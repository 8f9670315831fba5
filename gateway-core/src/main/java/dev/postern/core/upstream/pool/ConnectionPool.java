package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Preemption;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the connections of one event loop to the endpoints of one upstream. Each lease serves one exchange. An exchange never leaves its
 * loop; only permits are shared between loops.
 *
 * <p>Event loop only, but for {@link #permitWanted}, {@link #permitReturned}, {@link #placeWanted}, {@link #report},
 * {@link #endpointsGone} and {@link #idle}.
 */
public interface ConnectionPool {

    /** Waiter for a connection, on behalf of an exchange. */
    interface Waiter {

        /**
         * Receives the lease, which lasts until its exchange is over.
         *
         * @param now of the loop's ticker
         */
        void acquired(ConnectionLease lease, long now);

        /** @param failed the endpoint that could not be connected to, or null when no connect was tried */
        void refused(Refusal refusal, @Nullable Endpoint failed);

        /**
         * Returns whether the waiter still wants a connection; a waiter whose exchange has its response does not, even before it leaves.
         */
        boolean active();

        /** Returns whether the waiter wants no reused idle connection, since one of those just proved stale. */
        boolean fresh();

        /**
         * Returns whether the request can't be sent again if the connection turns out to be closed: an idle connection is looked at before it is
         * leased, which costs a system call.
         */
        boolean unrepeatable();

        /** Returns the key that selects the endpoint, where the upstream balances by a key. */
        long key();

        /** Returns the client that the PROXY protocol header names, where the upstream expects one. */
        @Nullable
        ProxyProtocolSource source();

        /** Returns the network of the client, which has a share of the connections while other networks wait. */
        AddressPrefix network();

        /** Returns what the exchange, which holds a connection, waits for. */
        Activity activity(long now);

        /** Ends the exchange, which holds a connection that another exchange needs. */
        void preempted(Preemption cause);
    }

    /**
     * Leases an idle connection, opens one, or lets the waiter wait for one within the connect timeout.
     *
     * @param avoid an endpoint that failed this exchange already
     * @param now of the loop's ticker, or a time read earlier in this pass of the loop
     */
    void acquire(Waiter waiter, @Nullable Endpoint avoid, long now);

    /** Cancels a pending acquire: the place in the queue or the connection that is being opened. No-op if nothing is pending. */
    void leave(Waiter waiter);

    /** Closes an idle connection: another loop needs a connection and no permit is left. */
    void permitWanted();

    /** Opens a connection for a waiter of this loop: a permit is free again. */
    void permitReturned();

    /** Refuses waiters of networks that have more than their share of the places to wait. */
    void placeWanted();

    /** Reports the exchanges that hold a connection or wait for one. */
    void report(PreemptionRounds.Round round);

    /** Closes the idle connections of removed endpoints, which get no new exchanges. */
    void endpointsGone();

    /** Returns the number of idle connections. */
    int idle();
}
