package dev.postern.auth.spend.redis;

import dev.postern.auth.SpendLedgers;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** Redis and settings with a deadline that only a missing result exceeds, since other builds may share this machine. */
record RedisTestSettings(LedgerSettings settings, RedisSettings redis) {

    static RedisTestSettings of(String address, boolean cluster) {
        return of(Duration.ofSeconds(10), address, cluster);
    }

    static RedisTestSettings of(Duration deadline, String address, boolean cluster) {
        return new RedisTestSettings(
                KeyDefaults.of(LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", deadline)),
                TestRedis.of("redis://" + address, Map.of("cluster", cluster)));
    }

    SpendLedger open(String namespace, MeterRegistry meters, InstantSource clock, List<EventLoop> loops) {
        return SpendLedgers.open(
                settings, new LedgerEnvironment(namespace, meters, clock, Ticker.systemTicker(), loops, redis));
    }
}
