package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.ServerProcess;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the loss of the master that has the room; its replica may not have the last writes. */
@Tag("faults")
class RedisClusterFaultIT extends RedisFaults {

    private static final int MASTERS = 3;

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(1);

    @Override
    protected StoreNode open() {
        return StoreNode.cluster(loops, CLUSTER.address());
    }

    @Test
    void holdsBoundWhenAReplicaTakesOver() {
        ServerProcess lost = master();
        lost.kill();
        expectService(Duration.ofSeconds(1));
        expectRecovery();

        lost.start();
        RedisClusterExtension.await(lost, "info replication", "role:slave");
        expectRecovery();
    }

    /** Returns the master of the room. Slots are distributed evenly, in the order of the servers. */
    private static ServerProcess master() {
        int slot = SlotHash.getSlot(new Keys(StoreNode.INSTANCE).room(ROOM.id())[0]);
        return CLUSTER.servers().get(slot * MASTERS / SlotHash.SLOT_COUNT);
    }
}
