package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerFaultsFixture;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestRedis;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two gateways on a Cluster, one of whose masters is lost, replaced by its replica, and returns as replica. */
@Tag("faults")
class RedisClusterFaultsIT extends LedgerFaultsFixture {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(1);

    @Override
    protected LedgerSettings settings() {
        return KeyDefaults.of(
                LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", SpendTraffic.DEADLINE));
    }

    @Override
    protected RedisSettings redis() {
        return TestRedis.of("redis://" + CLUSTER.address(), Map.of("cluster", true));
    }

    @Test
    void acceptsNothingTwiceWhenAReplicaTakesOver() {
        byte[] oldEpoch = one.epoch();
        ServerProcess lost = CLUSTER.servers().get(1);
        lost.kill();
        traffic.awaitUnknown(100);

        traffic.awaitPassing("the death of a master");
        // Each ledger finds the new master by itself; the later one has no result for its tokens until then.
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(one.epoch()).isNotEqualTo(oldEpoch).isEqualTo(other.epoch()));

        byte[] between = one.epoch();
        lost.start();
        RedisClusterExtension.await(lost, "info replication", "role:slave");
        traffic.awaitPassing("its return");
        assertThat(one.epoch()).isEqualTo(between).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenAMasterFreezesUntilItIsReplaced() {
        ServerProcess frozen = CLUSTER.servers().get(2);
        frozen.freeze();
        try {
            traffic.awaitUnknown(500);
            traffic.awaitPassing("a frozen master");
        } finally {
            frozen.thaw();
        }
        RedisClusterExtension.await(frozen, "info replication", "role:slave");
        traffic.awaitPassing("its thaw");
        assertKept();
    }
}
