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
        ServerInfo info = ServerInfo.parse(info("master", "noeviction"));

        assertThat(info).isEqualTo(new ServerInfo("0a1b", true, 2, new RedisMemory("noeviction", 7)));
        assertThat(info.master()).isTrue();
    }

    @Test
    void refusesReplicasAndDetectsEvictionPolicies() {
        assertThat(ServerInfo.parse(info("slave", "noeviction")).master()).isFalse();
        assertThat(ServerInfo.parse(info("master", "allkeys-lru")).memory().mayForget())
                .isTrue();
    }

    @Test
    void refusesOtherText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerInfo.parse("hello"))
                .withMessageContaining("INFO: no run_id");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerInfo.parse(info("master", "x").replace("slaves:2", "slaves:many")));
    }
}
