/**
 * The ledger in Redis, single or Cluster: one script per token, so that asking, storing and judging the server's memory are one step.
 *
 * <p>Tokens lie in {@value dev.postern.auth.spend.redis.SpendKeys#SHARDS} shards, each with a hash tag and an epoch mark of its own; the
 * script says FRESH only where the mark is the one we know. A mark holds the id of the server's run, and a connection is one run of one
 * server: who was restarted or took over from another is looked at before it is asked, and gets new marks. For {@link
 * dev.postern.auth.SpendLedgers} alone.
 */
@NullMarked
package dev.postern.auth.spend.redis;

import org.jspecify.annotations.NullMarked;
