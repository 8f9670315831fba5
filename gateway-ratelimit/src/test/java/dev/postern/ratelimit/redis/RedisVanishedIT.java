package dev.postern.ratelimit.redis;

import dev.postern.core.testing.FrozenRelay;
import dev.postern.core.testing.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two nodes whose connections to Redis lead nowhere any more: its host vanished, and another one has its address. */
@Tag("faults")
class RedisVanishedIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final FrozenRelay relay = new FrozenRelay(REDIS.address());

    @Override
    protected StoreNode open() {
        return StoreNode.single(loops, relay.address());
    }

    @AfterEach
    void closeRelay() {
        relay.close();
    }

    @Test
    void replacesAConnectionWhosePeerVanished() {
        relay.freeze();
        expectRecovery();
    }
}
