package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SharedLedgerContract;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.RedisClusterExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClusterLedgerIT extends SharedLedgerContract {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @Override
    protected LedgerSettings settings(Duration deadline) {
        return LedgerSettings.of(LedgerSettings.Store.REDIS).with(deadline);
    }

    @Override
    protected RedisSettings redis() {
        return RedisSettings.of("redis://" + CLUSTER.address(), true);
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).as("all three masters").hasSize(3);
    }
}
