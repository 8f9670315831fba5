package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.dns.NameServers;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRedis;
import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.store.PassCache;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.awaitility.Awaitility;

/** Holds the connection and the pass cache of one of two replicas. */
record StoreNode(RedisRoomStore store, PassCache cache) {

    static final String INSTANCE = "fault";
    static final String ALONE = "it";

    static StoreNode single(EventLoopGroup loops, String address) {
        return open(loops, address, false);
    }

    /** Opens a node with these settings of Redis and the usual timeout. */
    static StoreNode of(EventLoopGroup loops, RedisSettings redis) {
        return open(
                loops,
                new RedisStoreSettings(
                        KeyDefaults.with(redis, Map.of("deadline", Duration.ofMillis(100))), INSTANCE, 2));
    }

    /** Opens a node that asks these name servers for the name of Redis. */
    static StoreNode of(EventLoopGroup loops, RedisSettings redis, NameServers nameServers) {
        return open(
                loops,
                new RedisStoreSettings(
                        KeyDefaults.with(redis, Map.of("deadline", Duration.ofMillis(100))), INSTANCE, 2, nameServers));
    }

    /** Opens a node with a long timeout, for tests in which Redis is never silent for long. */
    static StoreNode patient(EventLoopGroup loops, String address) {
        return open(loops, settings(address, false, Duration.ofSeconds(5), INSTANCE, 2));
    }

    static StoreNode cluster(EventLoopGroup loops, String address) {
        return open(loops, address, true);
    }

    /** Opens the store of a single node with a long timeout. */
    static RedisRoomStore alone(EventLoopGroup loops, String address, boolean cluster) {
        RedisStoreSettings settings = settings(address, cluster, Duration.ofSeconds(10), ALONE, 1);
        RedisRoomStore roomStore = rooms(settings, loops, new PassCache());
        Awaitility.await().until(roomStore::healthy);
        return roomStore;
    }

    private static StoreNode open(EventLoopGroup loops, String address, boolean cluster) {
        return open(loops, settings(address, cluster, Duration.ofMillis(100), INSTANCE, 2));
    }

    private static StoreNode open(EventLoopGroup loops, RedisStoreSettings settings) {
        PassCache cache = new PassCache();
        return new StoreNode(rooms(settings, loops, cache), cache);
    }

    private static RedisStoreSettings settings(
            String address, boolean cluster, Duration deadline, String prefix, int replicas) {
        RedisSettings redis = TestRedis.of("redis://" + address, Map.of("cluster", cluster, "deadline", deadline));
        return new RedisStoreSettings(redis, prefix, replicas);
    }

    private static RedisRoomStore rooms(RedisStoreSettings settings, EventLoopGroup loops, PassCache cache) {
        return new RedisRoomStore(
                settings,
                loops,
                InstantSource.system(),
                new SimpleMeterRegistry(),
                cache,
                new MemoryRoomStore(loops, InstantSource.system()));
    }
}
