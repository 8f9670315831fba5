package dev.postern.core.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisMemoryTest {

    private static String info(String policy, String evicted) {
        return "# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:" + policy + "\r\n# Stats\r\nevicted_keys:" + evicted
                + "\r\nevicted_clients:3\r\n";
    }

    @Test
    void onlyNoevictionKeepsAllKeys() {
        RedisMemory memory = RedisMemory.parse(info("noeviction", "7"));

        assertThat(memory.mayForget()).isFalse();
        assertThat(memory.evicted()).isEqualTo(7);
        assertThat(memory.objection()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"allkeys-lru", "allkeys-lfu", "allkeys-random", "volatile-lru", "volatile-ttl", "volatile-new"})
    void otherPoliciesMayForget(String policy) {
        RedisMemory memory = RedisMemory.parse(info(policy, "12"));

        assertThat(memory.mayForget()).isTrue();
        assertThat(memory.objection())
                .isEqualTo("maxmemory-policy: " + policy + " (expected: noeviction), evicted keys: 12");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "evicted_keys:1", "maxmemory_policy:noeviction", "STAT evictions 1"})
    void saysWhatIsMissing(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisMemory.parse(text))
                .withMessageContaining("expected: that of a Redis");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisMemory.parse(info("noeviction", "many")))
                .withMessageContaining("evicted_keys: many");
    }
}
