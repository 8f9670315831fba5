package dev.postern.auth.spend.redis;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.config.RedisSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Redis and settings with a deadline that only a missing result exceeds, since other builds may share this machine. */
record RedisTestSettings(LedgerSettings settings, RedisSettings redis) {

    static RedisTestSettings of(String address, boolean cluster) {
        return of(Duration.ofSeconds(10), address, cluster);
    }

    static RedisTestSettings of(Duration deadline, String address, boolean cluster) {
        return new RedisTestSettings(
                LedgerSettings.of(LedgerSettings.Store.REDIS).with(deadline),
                RedisSettings.of("redis://" + address, cluster));
    }

    SpendLedger open(String namespace, MeterRegistry meters, InstantSource clock, List<EventLoop> loops) {
        return SpendLedgers.open(
                settings, new LedgerEnvironment(namespace, meters, clock, Ticker.systemTicker(), loops, redis));
    }
}
