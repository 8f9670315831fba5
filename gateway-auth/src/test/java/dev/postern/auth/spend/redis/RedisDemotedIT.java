package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerFaultsFixture;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.auth.spend.SpendTraffic;
import dev.postern.core.config.RedisSettings;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.RedisPair;
import dev.postern.core.testing.TestRedis;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two gateways whose Redis becomes a replica of another server, to which the name points from then on. */
@Tag("faults")
class RedisDemotedIT extends LedgerFaultsFixture {

    @RegisterExtension
    static final RedisExtension ONE = new RedisExtension();

    @RegisterExtension
    static final RedisExtension OTHER = new RedisExtension();

    private final RedisPair pair = RedisPair.of(ONE, OTHER);

    @Override
    protected LedgerSettings settings() {
        return KeyDefaults.of(
                LedgerSettings.class, Map.of("store", LedgerSettings.Store.REDIS, "deadline", SpendTraffic.DEADLINE));
    }

    @Override
    protected RedisSettings redis() {
        return TestRedis.of("redis://" + pair.relay().address());
    }

    @AfterEach
    void reset() {
        pair.close();
    }

    @Test
    void acceptsNothingTwiceAtTheNewMaster() {
        byte[] oldEpoch = one.epoch();
        pair.replicating().demote();

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(one.epoch()).isNotEqualTo(oldEpoch).isEqualTo(other.epoch()));
        traffic.awaitPassing("a demoted master");
        assertKept();
    }
}
