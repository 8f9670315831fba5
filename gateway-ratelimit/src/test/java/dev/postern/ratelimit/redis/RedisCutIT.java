package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two nodes of which one loses Redis: it still serves its passes, and the other must not reuse their slots. */
@Tag("faults")
class RedisCutIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final InterruptibleProxy proxy =
            new InterruptibleProxy(REDIS.server().port());
    private boolean second;

    @Override
    protected StoreNode open() {
        String address = second ? REDIS.address() : proxy.address();
        second = true;
        return StoreNode.single(loops, address);
    }

    @AfterEach
    void closeProxy() {
        proxy.close();
    }

    @Test
    void holdsBoundWhileOneNodeIsCutOff() {
        proxy.interrupt();
        expectService(Duration.ofSeconds(6));
        proxy.resume();
        expectRecovery();
    }
}
