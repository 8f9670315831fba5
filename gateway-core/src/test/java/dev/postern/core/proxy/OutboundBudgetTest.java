package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that all kinds of exchanges of a forward listener take their sockets from one budget, and give them back. */
@ExtendWith(LeakExtension.class)
class OutboundBudgetTest {

    private static final int BUDGET = 4;
    private static final String DESTINATION = "127.0.0.1:8080";

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().outbound(BUDGET));

    @AfterEach
    void close() {
        gateway.close();
    }

    private double open() {
        return gateway.gauge("postern.forward.sockets", "state", "open");
    }

    private static String connect() {
        return "CONNECT " + DESTINATION + " HTTP/1.1\r\nHost: " + DESTINATION + "\r\n\r\n";
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
        try (FrameClient streams = gateway.forwardClient2();
                RawClient same = gateway.forwardClient();
                RawClient other = gateway.forwardClient("127.0.0.2")) {
            for (int stream = 1; stream <= 5; stream += 2) {
                assertThat(connect(streams, stream, DESTINATION).soFar(stream).status())
                        .isEqualTo("200");
            }
            assertThat(connect(streams, 7, DESTINATION).soFar(7).status()).isEqualTo("503");
            RawClient.Response refused = same.send(connect()).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"overloaded\"");
            assertThat(other.send(connect()).readConnect().status()).isEqualTo(200);
            assertThat(open()).isEqualTo(BUDGET);
            streams.reset(1);
            assertThat(open()).isEqualTo(BUDGET - 1);
            other.reset(); // a tunnel outlives the end of one direction
        }
        assertThat(open()).isZero();
    }

    @Test
    void requestsWithoutATunnelGiveTheirsBack() {
        try (RawClient client = gateway.forwardClient()) {
            for (int i = 0; i < 2 * BUDGET; i++) {
                client.send("GET http://" + DESTINATION + "/ HTTP/1.1\r\nHost: " + DESTINATION + "\r\n\r\n");
                RawOrigin.Line line = gateway.accept();
                line.readHead();
                assertThat(open()).isEqualTo(1);
                line.ok("hello");
                assertThat(client.read().status()).isEqualTo(200);
                assertThat(open()).isZero();
            }
        }
    }
}
