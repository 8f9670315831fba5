/**
 * The ledger in Redis, single server or Cluster. One script per token, so that reading, storing and the check of the epoch marker are one
 * atomic step.
 *
 * <p>Tokens are kept in {@value dev.postern.auth.spend.redis.SpendKeys#SHARDS} shards, each with its own hash tag and epoch marker; a spend
 * is FRESH only if the marker is the one the gateway knows. A marker holds the run id of the server, and a connection belongs to one run of
 * one server: a server that was restarted or took over from another is checked before any spend and gets new markers. Used only by {@link
 * dev.postern.auth.SpendLedgers}.
 */
@NullMarked
package dev.postern.auth.spend.redis;

import org.jspecify.annotations.NullMarked;
