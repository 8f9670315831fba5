package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import dev.postern.ratelimit.StoreContract;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisStoreIT extends StoreContract {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected RoomStore open() {
        return StoreNode.alone(loops, REDIS.address(), false);
    }

    /** A server that may be younger than a pass admits no client until the node has reported the passes that it knows. */
    @Override
    protected void settle(RoomKey room) {
        String meta = new Keys(StoreNode.ALONE).room(room.id())[0];
        Awaitility.await().until(() -> "0".equals(REDIS.connection().sync().hget(meta, "frozen")));
    }

    @AfterEach
    void everyKeyExpiresAndContainsItsInstance() {
        for (String key : REDIS.connection().sync().keys("*")) {
            assertThat(REDIS.connection().sync().pttl(key)).as(key).isPositive();
            assertThat(key).startsWith("postern:it:q5:{").contains("}");
        }
    }
}
