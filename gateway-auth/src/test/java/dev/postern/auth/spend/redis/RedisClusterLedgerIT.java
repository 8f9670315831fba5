package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SharedLedgerContract;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.TestRedis;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClusterLedgerIT extends SharedLedgerContract {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @Override
    protected LedgerSettings settings(Duration deadline) {
        return KeyDefaults.of(LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", deadline));
    }

    @Override
    protected RedisSettings redis() {
        return TestRedis.of("redis://" + CLUSTER.address(), Map.of("cluster", true));
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).as("all three masters").hasSize(3);
    }
}
