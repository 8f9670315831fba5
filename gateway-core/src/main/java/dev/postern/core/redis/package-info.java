/**
 * Rules for connections to Redis, without a client library: what an error reply means, when a connection is replaced, the parts of a URI,
 * and when login and certificates are read. Used by the spend ledger and the room store, which have their own connections.
 */
@NullMarked
package dev.postern.core.redis;

import org.jspecify.annotations.NullMarked;
