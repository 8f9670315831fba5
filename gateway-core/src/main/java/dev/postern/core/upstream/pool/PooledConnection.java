package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.endpoint.Endpoint;

/** Connection in a pool: its age, its number of exchanges, and how many of them it carries now. Event loop only. */
abstract class PooledConnection {

    private final Endpoint endpoint;
    private final long born;
    private long idleSince;
    private int served;
    private int leases;

    PooledConnection(Endpoint endpoint, long now) {
        this.endpoint = endpoint;
        this.born = now;
        this.idleSince = now;
    }

    public final Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the time at which the connection was opened, of the loop's ticker. */
    final long born() {
        return born;
    }

    /** Returns the time since which the connection is idle; meaningless while it carries an exchange. */
    final long idleSince() {
        return idleSince;
    }

    /** Returns the number of exchanges so far, with those under way. */
    final int served() {
        return served;
    }

    /** Returns the number of exchanges under way. */
    final int leases() {
        return leases;
    }

    /** Leases the connection, or a stream of it, to one more exchange. */
    abstract PooledLease lease();

    /** Closes the connection; exchanges under way fail. */
    abstract void close();

    final void begun() {
        leases++;
        served++;
        endpoint.begun();
    }

    final void over(long now) {
        leases--;
        endpoint.over();
        if (leases == 0) {
            idleSince = now;
        }
    }

    /** Discounts an exchange that did not use its lease. */
    final void unserved() {
        served--;
    }
}
