/**
 * The ledger in memcached: one atomic {@code add} per token, pipelined, under our own deadline, over spymemcached or by the event loops themselves. Entered through {@link
 * dev.postern.auth.SpendLedgers} only.
 *
 * <p>Of spymemcached we use its connections: sockets, selector, queues, reconnects. The commands are our own ({@link
 * dev.postern.auth.spend.memcached.MemcachedCommand}), because the library's time out only before they are written, close the connection at a
 * {@code SERVER_ERROR} (which is what a full server says), print keys into logs, and can't tell whether they were written at all.
 */
@NullMarked
package dev.postern.auth.spend.memcached;

import org.jspecify.annotations.NullMarked;
