package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests two nodes and sessions that never pause, on a Redis that evicts keys, loses single ones and forgets its scripts. */
@Tag("faults")
class RedisEvictionIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final int FILLERS = 400;
    private static final int EVICTIONS = 30;

    private final RedisCommands<String, String> redis = REDIS.connection().sync();

    @Override
    protected StoreNode open() {
        return StoreNode.patient(loops, REDIS.address());
    }

    @AfterEach
    void keepAllKeys() {
        redis.configSet("maxmemory", "0");
        redis.configSet("maxmemory-policy", "noeviction");
        redis.flushall();
    }

    @Test
    void holdsBoundWhileKeysAreEvicted() {
        redis.configSet("maxmemory-policy", "allkeys-random"); // also takes keys that were just used
        for (int i = 0; i < EVICTIONS; i++) {
            redis.eval(
                    "for i = 1, " + FILLERS + " do redis.call('SET', 'filler:' .. i, string.rep('x', 1000)) end",
                    ScriptOutputType.STATUS);
            long before = evicted();
            redis.configSet("maxmemory", Long.toString(used() - FILLERS * 500));
            Awaitility.await().until(() -> evicted() - before > FILLERS / 5);
            redis.configSet("maxmemory", "0");
            letSessionsAsk();
        }

        expectRecovery();
    }

    @Test
    void holdsBoundWhenKeysOfTheRoomAreDeletedAtRandom() {
        String[] keys = new Keys(StoreNode.INSTANCE).room(ROOM.id());
        for (String key : keys) {
            redis.del(key);
            letSessionsAsk();
        }

        expectRecovery();
    }

    @Test
    void answersAllCallsWhileTheScriptsAreForgotten() {
        long before = unknown();
        for (int i = 0; i < 50; i++) {
            redis.scriptFlush();
            letSessionsAsk();
        }

        assertThat(unknown() - before).as("requests without a decision").isZero();
        expectRecovery();
    }

    /** Lets the sessions send some requests. */
    private void letSessionsAsk() {
        long before = requests();
        Awaitility.await().until(() -> requests() - before > 50);
    }

    private long used() {
        return REDIS.info("memory", "used_memory");
    }

    private long evicted() {
        return REDIS.info("stats", "evicted_keys");
    }
}
