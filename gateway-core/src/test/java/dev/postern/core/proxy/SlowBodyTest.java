package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that clients that send a body too slowly are refused, and that their upstream connection is released. */
@ExtendWith(LeakExtension.class)
class SlowBodyTest {

    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";

    private static final Duration TIME = Duration.ofSeconds(1);
    private static final MinBodyRate RATE = new MinBodyRate(1_000_000, TIME);

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().route(route -> TestRoute.with(route, RATE)));

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertRefused(Response response) {
        assertThat(response.status()).isEqualTo(408);
        assertThat(response.body()).contains("request-timeout");
    }

    @Test
    void isRefusedOverHttp1() {
        try (RawClient client = gateway.client()) {
            client.send(POST + "4\r\n\r\nab");
            RawOrigin.Line upload = gateway.accept();
            upload.readHead();
            assertThat(upload.read(2)).isEqualTo("ab");

            gateway.pass(TIME.plusSeconds(1));
            assertRefused(client.read());

            assertThat(upload.closedByPeer())
                    .as("the connection to the upstream is released")
                    .isTrue();
            assertThat(gateway.ended()).hasSize(1);
            Exchange ended = gateway.ended().get(0);
            assertThat(ended.outcome().reason()).isEqualTo("body-rate");
        }
    }

    @Test
    void isRefusedOnForwardListeners() {
        try (RawClient client = gateway.forwardClient()) {
            client.send(
                    "POST http://127.0.0.1:8080/ HTTP/1.1\r\nHost: 127.0.0.1:8080" + "\r\nContent-Length: 4\r\n\r\nab");
            RawOrigin.Line upload = gateway.accept();
            upload.readHead();
            assertThat(upload.read(2)).isEqualTo("ab");

            gateway.pass(TIME.plusSeconds(1));
            assertRefused(client.read());

            assertThat(upload.closedByPeer()).isTrue();
        }
    }
}
