package dev.postern.auth.spend;

import dev.postern.auth.spend.embedded.EmbeddedLedger;
import dev.postern.auth.spend.memcached.MemcachedLedger;
import dev.postern.auth.spend.redis.RedisLedger;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.List;

/** The entrance of this room: opens the ledger that is configured. */
public final class SpendLedgers {

    private SpendLedgers() {}

    /**
     * What a ledger needs of the process that it lives in.
     *
     * @param namespace prefix of every key, so that several gateways may share a store: visible ASCII, at most 100 characters
     * @param loops all event loops that will spend
     */
    public record Environment(String namespace, MeterRegistry registry, InstantSource clock, List<EventLoop> loops) {

        public Environment {
            loops = List.copyOf(loops);
        }
    }

    /** Opens the ledger; for memcached and Redis it waits at most a second for the servers and goes on without them. Not for event loops. */
    public static SpendLedger open(LedgerSettings settings, Environment environment) {
        return switch (settings.store()) {
            case EMBEDDED -> EmbeddedLedger.open(settings, environment);
            case MEMCACHED -> MemcachedLedger.open(settings, environment);
            case REDIS ->
                RedisLedger.open(settings, environment.namespace(), environment.registry(), environment.clock());
        };
    }
}
