package dev.postern.auth.spend;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.List;

/**
 * Environment of a ledger: the objects that the ledger shares with the rest of its process.
 *
 * @param namespace prefix of every key, so that several gateways can share a store: visible ASCII, at most 100 characters
 * @param loops all event loops that will spend
 */
public record LedgerEnvironment(String namespace, MeterRegistry registry, InstantSource clock, List<EventLoop> loops) {

    public LedgerEnvironment {
        loops = List.copyOf(loops);
    }
}
