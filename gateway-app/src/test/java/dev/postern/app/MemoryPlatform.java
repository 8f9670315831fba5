package dev.postern.app;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.rate.TickerClock;
import dev.postern.core.testing.MemoryNames;
import dev.postern.core.testing.MemoryTransport;
import java.time.Instant;
import java.util.function.Consumer;

/** Starts gateways whose connections, names and time are in memory. */
public final class MemoryPlatform {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private MemoryPlatform() {}

    /**
     * Starts a gateway, whose time of day begins with the year 2026.
     *
     * @param names knows the names of upstreams and destinations
     * @param lines consumes each line of the exchange log
     */
    public static Gateway start(
            LoadedConfig config, MemoryTransport network, MemoryNames.Lookup names, Consumer<String> lines) {
        Platform platform = new Platform(
                kind -> network.open(),
                network.open(),
                servers -> new MemoryNames(names),
                servers -> new MemoryNames(names),
                new TickerClock(network.ticker(), BEGIN),
                network.ticker());
        return Gateway.start(config, platform, lines);
    }
}
