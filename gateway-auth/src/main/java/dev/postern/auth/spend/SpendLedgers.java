package dev.postern.auth.spend;

import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.spend.memcached.MemcachedLedger;
import dev.postern.auth.spend.redis.RedisLedger;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/** The entrance of this room: opens the ledger that is configured. */
public final class SpendLedgers {

    private SpendLedgers() {}

    /**
     * Opens the ledger; for memcached and Redis it waits at most a second for the servers and goes on without them. Not for event loops.
     *
     * @param namespace prefix of every key, so that several gateways may share a store: visible ASCII, at most 100 characters
     */
    public static SpendLedger open(
            LedgerSettings settings, String namespace, MeterRegistry registry, InstantSource clock) {
        return switch (settings.store()) {
            case EMBEDDED -> new EmbeddedLedger(settings.embedded(), registry, clock);
            case MEMCACHED -> MemcachedLedger.open(settings, namespace, registry, clock);
            case REDIS -> RedisLedger.open(settings, namespace, registry, clock);
        };
    }
}
