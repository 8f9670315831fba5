package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.core.redis.RedisMemory;
import org.junit.jupiter.api.Test;

class ServerInfoTest {

    private static String info(String role, String policy) {
        return "# Server\r\nrun_id:0a1b\r\n\r\n# Replication\r\nrole:" + role
                + "\r\nconnected_slaves:2\r\nevicted_keys:7\r\nmaxmemory_policy:" + policy + "\r\n";
    }

    @Test
    void readsTheRelevantFields() {
        RedisEpochCheck.ServerInfo info = RedisEpochCheck.ServerInfo.parse(info("master", "noeviction"));

        assertThat(info).isEqualTo(new RedisEpochCheck.ServerInfo("0a1b", true, 2, new RedisMemory("noeviction", 7)));
        assertThat(info.master()).isTrue();
    }

    @Test
    void refusesReplicasAndDetectsEvictionPolicies() {
        assertThat(RedisEpochCheck.ServerInfo.parse(info("slave", "noeviction")).master())
                .isFalse();
        assertThat(RedisEpochCheck.ServerInfo.parse(info("master", "allkeys-lru"))
                        .memory()
                        .mayForget())
                .isTrue();
    }

    @Test
    void refusesOtherText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisEpochCheck.ServerInfo.parse("hello"))
                .withMessageContaining("INFO: no run_id");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        RedisEpochCheck.ServerInfo.parse(info("master", "x").replace("slaves:2", "slaves:many")));
    }
}
