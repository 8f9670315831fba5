package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisClusterExtension;
import dev.postern.ratelimit.StoreContract;
import dev.postern.ratelimit.memory.MemoryRooms;
import dev.postern.ratelimit.store.PassMirror;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rooms and limits spread over the servers of a Redis Cluster. */
class RedisClusterStoreIT extends StoreContract {

    @RegisterExtension
    static final RedisClusterExtension CLUSTER = new RedisClusterExtension(0);

    @Override
    protected RoomStore open() {
        RedisSettings settings =
                new RedisSettings("redis://" + CLUSTER.address(), true, Duration.ofSeconds(5), "it", 1);
        RedisRooms rooms = new RedisRooms(
                settings,
                loops,
                InstantSource.system(),
                new SimpleMeterRegistry(),
                new PassMirror(),
                new MemoryRooms(loops, InstantSource.system()));
        Awaitility.await().until(rooms::healthy);
        return rooms;
    }

    /** A server younger than a pass may be admits nobody until the node has said which passes it knows. */
    @Override
    protected void settle(RoomKey room) {
        RedisClusterClient client = RedisClusterClient.create("redis://" + CLUSTER.address());
        try (StatefulRedisClusterConnection<String, String> connection = client.connect()) {
            String meta = new Keys("it").room(room.id())[0];
            Awaitility.await().until(() -> "0".equals(connection.sync().hget(meta, "frozen")));
        } finally {
            client.shutdown();
        }
    }
}
