/**
 * Classes shared by the ledgers: replies, deadlines per event loop, circuit breaker, epoch state, meters. Used by
 * {@code spend.memcached}, {@code spend.redis} and {@code spend.embedded}.
 */
@NullMarked
package dev.postern.auth.spend.store;

import org.jspecify.annotations.NullMarked;
