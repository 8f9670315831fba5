package dev.postern.core.upstream.pool;

/** Lease of a pooled connection, which notes its exchange among the holders. */
interface PooledLease extends ConnectionLease {

    Holders.Holding holding();
}
