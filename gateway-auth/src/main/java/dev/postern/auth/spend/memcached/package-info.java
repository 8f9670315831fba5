/**
 * The ledger in memcached: one atomic {@code add} per token, pipelined, with the ledger's own deadline, over spymemcached or over Netty
 * connections of the event loops. Used only by {@link dev.postern.auth.SpendLedgers}.
 *
 * <p>Of spymemcached only its connections are used: sockets, selector, queues, reconnects. The commands are implemented here ({@link
 * dev.postern.auth.spend.memcached.MemcachedCommand}), because the library's commands time out only before they are written, close the
 * connection at a {@code SERVER_ERROR} (the response of a full server), print keys into logs, and do not report whether they were written.
 */
@NullMarked
package dev.postern.auth.spend.memcached;

import org.jspecify.annotations.NullMarked;
