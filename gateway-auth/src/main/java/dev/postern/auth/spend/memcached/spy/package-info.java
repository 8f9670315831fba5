/**
 * Connections of the library spymemcached, {@code client: spymemcached}; the only package that knows the library. Used only by {@link
 * dev.postern.auth.SpendLedgers}.
 *
 * <p>Of the library only its connections are used: sockets, selector, queues, reconnects.
 */
@NullMarked
package dev.postern.auth.spend.memcached.spy;

import org.jspecify.annotations.NullMarked;
