package dev.postern.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class HalfRequestsTest {

    private final HalfRequests<String> halves = new HalfRequests<>(2, 4);

    private static InetAddress peer(int last) {
        return NetUtil.createInetAddressFromIpAddressString("127.0.0." + last);
    }

    @Test
    void closesTheOldestOfAPeerWithTooMany() {
        assertThat(halves.add("other", peer(2))).isNull();
        assertThat(halves.add("first", peer(1))).isNull();
        assertThat(halves.add("second", peer(1))).isNull();

        assertThat(halves.add("third", peer(1))).isEqualTo("first");
        assertThat(halves.add("fourth", peer(1))).isEqualTo("second");
        assertThat(halves.size()).isEqualTo(3);
    }

    @Test
    void closesTheOldestOfAllPeers() {
        for (int i = 1; i <= 4; i++) {
            assertThat(halves.add("c" + i, peer(i))).isNull();
        }

        assertThat(halves.add("c5", peer(5))).isEqualTo("c1");
        assertThat(halves.size()).isEqualTo(4);
    }

    @Test
    void keepsConnectionsWithAPendingResponse() {
        halves.add("busy", peer(1));
        halves.completed("busy");
        halves.add("first", peer(1));
        halves.add("second", peer(1));

        assertThat(halves.add("third", peer(1))).isEqualTo("first");
        halves.responded("busy");
        assertThat(halves.add("fourth", peer(1)))
                .as("a response counts as newer activity")
                .isEqualTo("second");
        assertThat(halves.add("fifth", peer(1))).isEqualTo("third");
        assertThat(halves.add("sixth", peer(1))).isEqualTo("busy");
    }

    @Test
    void refusesOtherClientsWhileAllAreInUse() {
        for (int i = 1; i <= 4; i++) {
            halves.add("c" + i, peer(i));
            halves.completed("c" + i);
        }

        assertThat(halves.add("c5", peer(5))).isEqualTo("c5");
        halves.remove("c5");
        halves.remove("c1");
        assertThat(halves.add("c6", peer(6))).isNull();
    }

    @Test
    void dropsClosedConnections() {
        halves.add("first", peer(1));
        halves.remove("first");
        halves.responded("first");
        assertThat(halves.size()).isZero();
        halves.add("second", peer(1));
        halves.add("third", peer(1));
        assertThat(halves.add("fourth", peer(1))).isEqualTo("second");
    }
}
