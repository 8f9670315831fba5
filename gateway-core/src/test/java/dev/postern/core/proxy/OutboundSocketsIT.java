package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
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

/** Tests that all kinds of exchanges of a forward listener take their sockets from one budget, and give them back. */
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

    private String connect() {
        return "CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n";
    }

    private static FrameClient connect(FrameClient client, int stream, String destination) {
        client.headers(stream, false, ":method", "CONNECT", ":authority", destination);
        while (client.soFar(stream).status().isEmpty()) {
            client.await(FrameClient.HEADERS);
        }
        return client;
    }

    @Test
    void tunnelsOverStreamsAndConnectionsShareIt() {
        try (FrameClient streams = FrameClient.connect(gateway.forwardPort());
                RawClient same = new RawClient(gateway.forwardPort());
                RawClient other = new RawClient("127.0.0.2", gateway.forwardPort())) {
            for (int stream = 1; stream <= 5; stream += 2) {
                assertThat(connect(streams, stream, origin.address())
                                .soFar(stream)
                                .status())
                        .isEqualTo("200");
            }
            assertThat(connect(streams, 7, origin.address()).soFar(7).status()).isEqualTo("503");
            RawClient.Response refused = same.send(connect()).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"overloaded\"");
            assertThat(other.send(connect()).readConnect().status()).isEqualTo(200);
            assertThat(open()).isEqualTo(BUDGET);
            streams.reset(1);
            await().until(() -> open() == BUDGET - 1);
            other.reset(); // a tunnel outlives the end of one direction
        }
        await().until(() -> open() == 0);
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
    void requestsWithoutATunnelGiveTheirsBack() {
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            for (int i = 0; i < 2 * BUDGET; i++) {
                client.send("GET http://" + origin.address() + "/ HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
                RawOrigin.Line line = origin.accept();
                line.readHead();
                assertThat(open()).isEqualTo(1);
                line.ok("hello");
                assertThat(client.read().status()).isEqualTo(200);
                await().until(() -> open() == 0);
            }
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
