package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.net.AddressPrefix;
import dev.postern.core.net.ClientNetworks;
import io.netty.util.NetUtil;
import org.junit.jupiter.api.Test;

/** Tests the budget of sockets of forward listeners: 100 here. */
class OutboundSocketsTest {

    private static final AddressPrefix ONE = client("192.0.2.1");
    private static final AddressPrefix OTHER = client("192.0.2.2");

    private static final int ALL = 100;

    private final OutboundSockets sockets = new OutboundSockets(ALL);

    private static AddressPrefix client(String address) {
        return ClientNetworks.WELL_KNOWN.client(NetUtil.createInetAddressFromIpAddressString(address));
    }

    private int taken(AddressPrefix client) {
        int taken = 0;
        while (taken <= ALL && sockets.take(client, 1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneClientGetsThreeQuarters() {
        assertThat(taken(ONE)).isEqualTo(75);
        assertThat(taken(OTHER)).isEqualTo(25);
        assertThat(sockets.open()).isEqualTo(100);
    }

    @Test
    void manyClientsGetAll() {
        int all = 0;
        for (int i = 0; i < 10; i++) {
            all += taken(client("192.0.2." + i));
        }
        assertThat(all).isEqualTo(100);
    }

    @Test
    void givesBackWhatWasTaken() {
        assertThat(sockets.take(ONE, 70)).isTrue();
        assertThat(sockets.take(ONE, 6)).isFalse();
        assertThat(sockets.open()).isEqualTo(70);
        sockets.give(ONE, 70);
        assertThat(sockets.open()).isZero();
        assertThat(taken(ONE)).isEqualTo(75);
    }

    @Test
    void addressesOfOneIpv6NetworkAreOneClient() {
        assertThat(taken(client("2001:db8::1"))).isEqualTo(75);
        assertThat(taken(client("2001:db8::2"))).isZero();
        assertThat(taken(client("2001:db8:0:1::1"))).isEqualTo(25);
    }

    @Test
    void aLowerMaximumHoldsFromThenOn() {
        sockets.take(ONE, 60);
        sockets.max(50);
        assertThat(sockets.take(OTHER, 1)).isFalse();
        sockets.give(ONE, 20);
        assertThat(sockets.take(OTHER, 1)).isTrue();
    }

    @Test
    void aBudgetOfOneIsOne() {
        OutboundSockets few = new OutboundSockets(1);
        assertThat(few.take(ONE, 1)).isTrue();
        assertThat(few.take(OTHER, 1)).isFalse();
    }
}
