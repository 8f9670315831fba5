package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two gateways on a Cluster, of whose masters one is lost, replaced by its replica, and comes back as the replica's replica. */
class RedisClusterFaultsIT extends RedisFaults {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(1);

    @Override
    protected Patient settings() {
        return Patient.of(DEADLINE, CLUSTER.address(), true);
    }

    @Test
    void acceptsNothingTwiceWhenAReplicaTakesOver() {
        byte[] before = one.epoch();
        ServerProcess lost = CLUSTER.servers().get(1);
        lost.kill();
        awaitUnknown(100);

        awaitPassing("the death of a master");
        assertThat(one.epoch()).isNotEqualTo(before).isEqualTo(other.epoch());

        byte[] between = one.epoch();
        lost.start();
        RedisClusterExtension.await(lost, "info replication", "role:slave");
        awaitPassing("its return");
        assertThat(one.epoch()).isEqualTo(between).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenAMasterFreezesUntilItIsReplaced() {
        ServerProcess frozen = CLUSTER.servers().get(2);
        frozen.freeze();
        try {
            awaitUnknown(500);
            awaitPassing("a frozen master");
        } finally {
            frozen.thaw();
        }
        RedisClusterExtension.await(frozen, "info replication", "role:slave");
        awaitPassing("its thaw");
        assertKept();
    }
}
