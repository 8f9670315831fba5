package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.memory.MemoryRooms;
import dev.postern.ratelimit.store.PassMirror;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;

/** One of two replicas: its own connection, its own memory of passes. */
record Node(RedisRooms store, PassMirror mirror) {

    static final String INSTANCE = "fault";

    static Node single(EventLoopGroup loops, String address) {
        return open(loops, address, false);
    }

    static Node cluster(EventLoopGroup loops, String address) {
        return open(loops, address, true);
    }

    private static Node open(EventLoopGroup loops, String address, boolean cluster) {
        PassMirror mirror = new PassMirror();
        RedisSettings settings = new RedisSettings("redis://" + address, cluster, Duration.ofMillis(100), INSTANCE, 2);
        RedisRooms store = new RedisRooms(
                settings,
                loops,
                InstantSource.system(),
                new SimpleMeterRegistry(),
                mirror,
                new MemoryRooms(loops, InstantSource.system()));
        return new Node(store, mirror);
    }
}
