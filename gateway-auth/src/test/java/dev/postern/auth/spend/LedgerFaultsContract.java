package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.ServerProcess;
import org.junit.jupiter.api.Test;

/** Tests two gateways on one server that is killed, frozen and restarted empty under load. */
public abstract class LedgerFaultsContract extends LedgerFaultsFixture {

    protected abstract ServerProcess server();

    @Test
    void acceptsNothingTwiceWhenTheServerRestartsEmpty() {
        byte[] oldEpoch = one.epoch();
        for (int i = 0; i < 3; i++) {
            server().restartEmpty();
            traffic.awaitPassing("restart empty");
        }

        assertThat(one.epoch()).isNotEqualTo(oldEpoch).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerIsKilledAndRestartedLater() {
        server().kill();
        traffic.awaitUnknown(500);

        server().start();

        traffic.awaitPassing("kill and start");
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezes() {
        byte[] oldEpoch = one.epoch();
        for (int i = 0; i < 2; i++) {
            server().freeze();
            traffic.awaitUnknown(500);
            server().thaw();
            traffic.awaitPassing("freeze and thaw");
        }

        assertThat(one.epoch()).isEqualTo(oldEpoch).isEqualTo(other.epoch());
        assertKept();
    }

    @Test
    void acceptsNothingTwiceWhenTheServerFreezesAndIsThenRestartedEmpty() {
        byte[] oldEpoch = one.epoch();
        server().freeze();
        traffic.awaitUnknown(2_000);

        server().restartEmpty();

        traffic.awaitPassing("freeze and restart empty");
        assertThat(one.epoch()).isNotEqualTo(oldEpoch).isEqualTo(other.epoch());
        assertKept();
    }
}
