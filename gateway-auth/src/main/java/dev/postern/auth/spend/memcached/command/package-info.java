/**
 * Commands of the memcached text protocol and their replies, without a connection: a client writes the bytes of a command and passes the
 * received bytes to it. Used by {@code spend.memcached} and {@code spend.memcached.spy}.
 *
 * <p>The commands of spymemcached are not used, because they time out only before they are written, close the connection at a {@code
 * SERVER_ERROR} (the response of a full server), print keys into logs, and do not report whether they were written.
 */
@NullMarked
package dev.postern.auth.spend.memcached.command;

import org.jspecify.annotations.NullMarked;
