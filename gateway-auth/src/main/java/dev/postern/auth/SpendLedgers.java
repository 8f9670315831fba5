package dev.postern.auth;

import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.LedgerSettings.Memcached;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.spend.memcached.EventLoopConnections;
import dev.postern.auth.spend.memcached.MemcachedConnections;
import dev.postern.auth.spend.memcached.MemcachedLedger;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.memcached.spy.SpyConnections;
import dev.postern.auth.spend.redis.RedisLedger;

/** Opens the configured spend ledger. */
public final class SpendLedgers {

    private SpendLedgers() {}

    /**
     * Opens the ledger. For memcached and Redis, waits at most a second for the servers and continues without them. Not for event loops.
     */
    public static SpendLedger open(LedgerSettings settings, LedgerEnvironment environment) {
        return switch (settings.store()) {
            case EMBEDDED -> EmbeddedLedger.open(settings, environment);
            case MEMCACHED ->
                MemcachedLedger.open(
                        settings, environment, encoding -> connections(settings.memcached(), environment, encoding));
            case REDIS -> RedisLedger.open(settings, environment);
        };
    }

    private static MemcachedConnections connections(
            Memcached settings, LedgerEnvironment environment, MemcachedEncoding encoding) {
        return switch (settings.client()) {
            case SPYMEMCACHED -> new SpyConnections(settings.connections(), encoding, environment.ticker());
            case NETTY -> new EventLoopConnections(environment.loops(), encoding);
        };
    }
}
