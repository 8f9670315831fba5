package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.UdpOrigin;
import dev.postern.core.testing.UdpTunnelClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that UDP tunnels and failed connects give their sockets back; {@link OutboundBudgetTest} has the other exchanges. */
@ExtendWith(LeakExtension.class)
class OutboundSocketsIT {

    private static final int BUDGET = 4;

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway =
            new CoreGateway(Setup.of(origin.address()).outbound(BUDGET));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private double open() {
        return gateway.gauge("postern.forward.sockets", "state", "open");
    }

    @ParameterizedTest
    @EnumSource
    void udpTunnelsTakeOneEach(UdpTunnelClient.Version version) {
        try (UdpOrigin udp = new UdpOrigin()) {
            UdpTunnelClient one = version.open(gateway.forwardPort(), udp.path());
            assertThat(open()).isEqualTo(1);
            one.close();
            await().until(() -> open() == 0);
        }
    }

    @Test
    void failedConnectsGiveTheirsBack() {
        String closed = origin.address();
        origin.close();
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            for (int i = 0; i < 2 * BUDGET; i++) {
                assertThat(client.send("CONNECT " + closed + " HTTP/1.1\r\nHost: " + closed + "\r\n\r\n")
                                .read()
                                .status())
                        .isEqualTo(502);
                assertThat(open()).isZero();
            }
        }
    }
}
