package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisExtension;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis freezes, dies, forgets everything. */
@Tag("faults")
@Tag("long")
class RedisFaultIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected Node open() {
        return Node.single(loops, REDIS.address());
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
    void holdsBoundWhenRedisForgetsEverything() {
        REDIS.server().restartEmpty();
        expectRecovery();
        REDIS.server().restartEmpty();
        expectRecovery();
    }
}
