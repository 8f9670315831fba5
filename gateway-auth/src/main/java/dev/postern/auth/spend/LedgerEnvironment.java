package dev.postern.auth.spend;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.dns.NameServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Environment of a ledger: the objects that the ledger shares with the rest of its process.
 *
 * @param namespace prefix of every key, so that several gateways can share a store: visible ASCII, at most 100 characters
 * @param ticker of the process
 * @param loops all event loops that will spend
 * @param redis the Redis of this process, for a ledger in Redis; null for none
 * @param nameServers for the name of the Redis; null for those of the system
 */
public record LedgerEnvironment(
        String namespace,
        MeterRegistry registry,
        InstantSource clock,
        Ticker ticker,
        List<EventLoop> loops,
        @Nullable RedisSettings redis,
        @Nullable NameServers nameServers) {

    public LedgerEnvironment {
        loops = List.copyOf(loops);
    }

    /** Creates the environment of a ledger that is not in Redis. */
    public LedgerEnvironment(
            String namespace, MeterRegistry registry, InstantSource clock, Ticker ticker, List<EventLoop> loops) {
        this(namespace, registry, clock, ticker, loops, null, null);
    }

    /** Creates the environment of a ledger that asks the name servers of the system. */
    public LedgerEnvironment(
            String namespace,
            MeterRegistry registry,
            InstantSource clock,
            Ticker ticker,
            List<EventLoop> loops,
            @Nullable RedisSettings redis) {
        this(namespace, registry, clock, ticker, loops, redis, null);
    }
}
