package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.rate.Gcra;
import dev.postern.core.testing.RedisReasons;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the state of the store and the log say why Redis cannot be used for limits. */
@Tag("faults")
class RedisReasonsIT extends RedisReasons {

    private static final Gcra OFTEN = new Gcra(1000, 0);

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    RedisReasonsIT() {
        super(RedisRoomConnection.class, "not usable: ");
    }

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void namesAReplica() {
        expectAfter(
                "replicaof 127.0.0.1 1", "not usable: READONLY: a replica, which stores nothing (expected: a master)");
    }

    @Override
    protected User open(RedisSettings redis) {
        return new Store(StoreNode.of(loops, redis).store(), loops.next(), new AtomicInteger());
    }

    private record Store(RedisRoomStore store, EventLoop loop, AtomicInteger number) implements User {

        @Override
        public void call() {
            loop.execute(() -> store.limit("key" + number.incrementAndGet(), OFTEN, loop, decision -> {}));
        }

        @Override
        public boolean healthy() {
            return store.healthy();
        }

        @Override
        public String state() {
            return store.stores().toString();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
