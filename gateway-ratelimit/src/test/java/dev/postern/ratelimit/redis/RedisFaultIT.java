package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisExtension;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a Redis that freezes, dies and loses its data. */
@Tag("faults")
@Tag("long")
class RedisFaultIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected StoreNode open() {
        return StoreNode.single(loops, REDIS.address());
    }

    @Test
    void holdsBoundWhileRedisFreezes() {
        REDIS.server().freeze();
        expectService(Duration.ofSeconds(3));
        REDIS.server().thaw();
        expectRecovery();
    }

    @Test
    void holdsBoundWhileRedisIsKilledAndComesBackEmpty() {
        REDIS.server().kill();
        expectService(Duration.ofSeconds(3));
        REDIS.server().start();
        expectRecovery();
    }

    @Test
    void holdsBoundWhenRedisLosesItsData() {
        REDIS.server().restartEmpty();
        expectRecovery();
        REDIS.server().restartEmpty();
        expectRecovery();
    }
}
