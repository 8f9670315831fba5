package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.connection.ClientLimits.HalfClose;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that end their output by FIN: they have gone, unless {@link HalfClose#ALLOW} says that they still read (ADR 43). */
class HalfClosedClientsIT extends GatewayBeforeOrigins {

    private void assertAllEnded(int exchanges) {
        await().until(() -> gateway().ended().size() == exchanges);
        await().until(() -> gateway().server().connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab",
                "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
            })
    void cancelsTheUpstreamThatIsWorking(String request) {
        try (RawClient client = client()) {
            client.send(request);
            Line line = acceptRequest();
            if (request.endsWith("ab")) {
                assertThat(line.read(2)).isEqualTo("ab");
            }
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.closedByPeer()).isTrue();
            assertAllEnded(1);
        }
    }

    @Test
    void cancelsTheUpstreamOfAResponseAndMarksItAsCut() throws IOException {
        try (RawClient client = client()) {
            client.send(GET);
            Line line = acceptRequest();
            line.send("HTTP/1.1 200 OK\r\n\r\nsome");
            assertThat(client.readUntil("some")).contains(" 200 ");
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.readEnd()).as("an incomplete response").isEqualTo("reset");
            assertAllEnded(1);
        }
    }

    /** The gateway reads no further while the upstream takes nothing. */
    @Test
    void noticesTheEndBehindABodyThatNobodyTakes() {
        try (RawClient client = client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n");
            acceptRequest();
            client.send("x".repeat(3_000_000)).finish();
            assertAllEnded(1);
        }
    }

    @Test
    void endsAnExchangeThatWaitsForItsTurn() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        restart(Setup.of(origin.address()).admit(new Waiting(over)));
        try (RawClient client = client()) {
            client.send(GET).finish();
            assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    /** Never lets an exchange proceed, like a full room. */
    private static final class Waiting extends ExchangeStage {

        private final CountDownLatch over;

        private Waiting(CountDownLatch over) {
            super(StageName.ADMIT);
            this.over = over;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            exchange.whenOver(over::countDown);
        }
    }

    @Test
    void whereAllowedATunnelPassesTheEndThatCameBeforeIt() {
        restart(Setup.of(origin.address())
                .forward(List.of("1-65535"), List.of("127.0.0.0/8"))
                .limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));
        try (RawClient client = new RawClient(gateway().forwardPort())) {
            client.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: h\r\n\r\nquestion")
                    .finish();
            Line line = origin.accept();
            assertThat(line.rest()).isEqualTo("question");
            line.send("answer").finish();
            assertThat(client.readConnect().status()).isEqualTo(200);
            assertThat(client.rest()).isEqualTo("answer");
        }
    }
}
