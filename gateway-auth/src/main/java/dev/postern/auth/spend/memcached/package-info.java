/**
 * The ledger in memcached: one atomic {@code add} per token, pipelined, with the ledger's own deadline, over Netty connections of the
 * event loops or over those of {@code spend.memcached.spy}. Used by {@link dev.postern.auth.SpendLedgers}, and by the package {@code spy},
 * which implements {@link dev.postern.auth.spend.memcached.MemcachedConnection}.
 */
@NullMarked
package dev.postern.auth.spend.memcached;

import org.jspecify.annotations.NullMarked;
