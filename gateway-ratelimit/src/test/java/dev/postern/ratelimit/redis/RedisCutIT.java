package dev.postern.ratelimit.redis;

import dev.postern.core.testing.RedisExtension;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One of two nodes loses Redis, the other one does not: the first serves its passes on, and the second must not give their slots away. */
@Tag("faults")
class RedisCutIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private final Cable cable = new Cable(REDIS.server().port());
    private boolean second;

    @Override
    protected Node open() {
        String address = second ? REDIS.address() : cable.address();
        second = true;
        return Node.single(loops, address);
    }

    @AfterEach
    void pull() {
        cable.close();
    }

    @Test
    void holdsBoundWhileOneNodeIsCutOff() {
        cable.cut();
        expectService(Duration.ofSeconds(6));
        cable.mend();
        expectRecovery();
    }
}
