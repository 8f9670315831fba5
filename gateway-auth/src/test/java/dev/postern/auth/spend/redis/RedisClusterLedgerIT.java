package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisClusterLedgerIT extends RedisLedgerContract {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @Override
    protected Patient settings() {
        return Patient.of(CLUSTER.address(), true);
    }

    @Override
    @Test
    protected void isHealthy() {
        assertThat(ledger.health().healthy()).isTrue();
        assertThat(ledger.health().stores()).as("all three masters").hasSize(3);
    }
}
