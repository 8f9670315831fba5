package dev.postern.auth.spend.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two gateways on one Redis that is killed, frozen and restarted empty under load. */
class RedisFaultsIT extends RedisFaults {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @Override
    protected Patient settings() {
        return Patient.of(DEADLINE, REDIS.address(), false);
    }

    @Test
    void acceptsNothingTwiceWhenTheServerRestartsEmpty() {
        byte[] before = one.epoch();
        for (int i = 0; i < 3; i++) {
            server().restartEmpty();
            awaitPassing("restart empty");
        }

        assertThat(one.epoch()).isNotEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerIsKilledAndComesBackLater() {
        server().kill();
        awaitUnknown(500);

        server().start();

        awaitPassing("kill and start");
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezes() {
        byte[] before = one.epoch();
        for (int i = 0; i < 2; i++) {
            server().freeze();
            awaitUnknown(500);
            server().thaw();
            awaitPassing("freeze and thaw");
        }

        assertThat(one.epoch()).isEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezesAndIsThenRestartedEmpty() {
        byte[] before = one.epoch();
        server().freeze();
        awaitUnknown(2_000);

        server().restartEmpty();

        awaitPassing("freeze and restart empty");
        assertThat(one.epoch()).isNotEqualTo(before).isEqualTo(other.epoch());
        assertKept();
    }

    private static ServerProcess server() {
        return REDIS.server();
    }
}
