package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.ratelimit.StoreContract;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests rooms and limits over the servers of a Redis Cluster. */
class RedisClusterStoreIT extends StoreContract {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @Override
    protected RoomStore open() {
        return StoreNode.alone(loops, CLUSTER.address(), true);
    }

    /** A server that may be younger than a pass admits no client until the node has reported the passes that it knows. */
    @Override
    protected void settle(RoomKey room) {
        RedisClusterClient client = RedisClusterClient.create("redis://" + CLUSTER.address());
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            String meta = new Keys(StoreNode.ALONE).room(room.id())[0];
            Awaitility.await().until(() -> "0".equals(connection.sync().hget(meta, "frozen")));
        } finally {
            client.shutdown();
        }
    }
}
