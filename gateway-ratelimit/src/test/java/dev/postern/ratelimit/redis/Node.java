package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.store.PassCache;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;

/** One of two replicas: its own connection, its own memory of passes. */
record Node(RedisRoomStore store, PassCache cache) {

    static final String INSTANCE = "fault";
    static final String ALONE = "it";

    static Node single(EventLoopGroup loops, String address) {
        return open(loops, address, false);
    }

    /** One that a busy machine does not keep from Redis, for tests in which Redis never stays silent for long. */
    static Node patient(EventLoopGroup loops, String address) {
        return open(loops, new RedisSettings("redis://" + address, false, Duration.ofSeconds(2), INSTANCE, 2));
    }

    static Node cluster(EventLoopGroup loops, String address) {
        return open(loops, address, true);
    }

    /** One that has the rooms to itself, and patience with a busy machine. */
    static RedisRoomStore alone(EventLoopGroup loops, String address, boolean cluster) {
        RedisSettings settings = new RedisSettings("redis://" + address, cluster, Duration.ofSeconds(10), ALONE, 1);
        RedisRoomStore roomStore = rooms(settings, loops, new PassCache());
        Awaitility.await().until(roomStore::healthy);
        return roomStore;
    }

    private static Node open(EventLoopGroup loops, String address, boolean cluster) {
        return open(loops, new RedisSettings("redis://" + address, cluster, Duration.ofMillis(100), INSTANCE, 2));
    }

    private static Node open(EventLoopGroup loops, RedisSettings settings) {
        PassCache cache = new PassCache();
        return new Node(rooms(settings, loops, cache), cache);
    }

    private static RedisRoomStore rooms(RedisSettings settings, EventLoopGroup loops, PassCache cache) {
        return new RedisRoomStore(
                settings,
                loops,
                InstantSource.system(),
                new SimpleMeterRegistry(),
                cache,
                new MemoryRoomStore(loops, InstantSource.system()));
    }
}
