package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
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

    @Test
    void holdsBoundWhenAReplicaTakesOverByHand() {
        ServerProcess before = master();
        takeOver(replicaOf(before));
        expectRecovery();

        takeOver(before);
        expectRecovery();
    }

    /** Orders a take-over, again while a busy machine lets the time for it pass. */
    private static void takeOver(ServerProcess replica) {
        Awaitility.await()
                .ignoreExceptions()
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    if (role(replica)[0].equals("master")) {
                        return true;
                    }
                    RedisExtension.cli(replica, "cluster", "failover");
                    return false;
                });
    }

    /** Returns the current master of the room. Slots are distributed evenly, in the order of the first masters. */
    private static ServerProcess master() {
        int slot = SlotHash.getSlot(new Keys(StoreNode.INSTANCE).room(ROOM.id())[0]);
        ServerProcess first = CLUSTER.servers().get(slot * MASTERS / SlotHash.SLOT_COUNT);
        String[] role = role(first);
        return role[0].equals("master")
                ? first
                : find(server -> Integer.toString(server.port()).equals(role[2]));
    }

    private static ServerProcess replicaOf(ServerProcess master) {
        return find(server -> {
            String[] role = role(server);
            return role[0].equals("slave") && role[2].equals(Integer.toString(master.port()));
        });
    }

    private static ServerProcess find(Predicate<ServerProcess> which) {
        return CLUSTER.servers().stream().filter(which).findFirst().orElseThrow();
    }

    /** Returns {@code master} and more, or {@code slave}, host and port of its master, and more. */
    private static String[] role(ServerProcess server) {
        return RedisExtension.cli(server, "role").split("\\s+");
    }
}
