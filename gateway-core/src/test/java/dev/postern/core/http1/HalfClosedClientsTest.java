package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients that end their output by FIN: they have gone, unless {@link HalfClose#ALLOW} says that they still read (ADR 43). */
@ExtendWith(LeakExtension.class)
class HalfClosedClientsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void assertAllEnded(int exchanges) {
        assertThat(gateway.ended()).hasSize(exchanges);
    }

    @Test
    void cancelsAllPipelinedRequests() {
        try (RawClient client = gateway.client()) {
            client.send(GET + GET);
            Line first = gateway.acceptRequest();
            Line second = gateway.acceptRequest();
            client.finish();
            assertThat(first.closedByPeer()).isTrue();
            assertThat(second.closedByPeer()).isTrue();
            assertAllEnded(2);
        }
    }

    @Test
    void aResponseThatNeedsNoWaitingIsSent() {
        try (RawClient client = gateway.client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n").finish();
            assertThat(client.read().status()).isEqualTo(405);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void whereAllowedCompleteRequestsGetTheirResponses() {
        try (MemoryGateway allowing = new MemoryGateway(
                        MemoryGateway.setup().limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));
                RawClient client = allowing.client()) {
            client.send(GET + GET).finish();
            List<Line> lines = List.of(allowing.acceptRequest(), allowing.acceptRequest());
            lines.get(0).ok("one");
            lines.get(1).ok("two");
            assertThat(List.of(client.read().body(), client.read().body())).containsExactlyInAnyOrder("one", "two");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void cancelsTheUpstreamOfAResponseAndMarksItAsCut() throws IOException {
        try (RawClient client = gateway.client()) {
            client.send(GET);
            Line line = gateway.acceptRequest();
            line.send("HTTP/1.1 200 OK\r\n\r\nsome");
            assertThat(client.readUntil("some")).contains(" 200 ");
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.readEnd()).as("an incomplete response").isEqualTo("reset");
            assertAllEnded(1);
        }
    }

    @Test
    void endsAnExchangeThatWaitsForItsTurn() {
        AtomicInteger over = new AtomicInteger();
        try (MemoryGateway full = new MemoryGateway(MemoryGateway.setup().admit(new Waiting(over)));
                RawClient client = full.client()) {
            client.send(GET);
            assertThat(over).hasValue(0);
            client.finish();
            assertThat(over).hasValue(1);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    /** Never lets an exchange proceed, like a full room. */
    private static final class Waiting extends ExchangeStage {

        private final AtomicInteger over;

        private Waiting(AtomicInteger over) {
            super(StageName.ADMIT);
            this.over = over;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            exchange.whenOver(over::incrementAndGet);
        }
    }

    @Test
    void whereAllowedATunnelPassesTheEndThatCameBeforeIt() {
        try (MemoryGateway allowing = new MemoryGateway(
                        MemoryGateway.setup().limits(TestLimits.with(Map.of("halfClose", HalfClose.ALLOW))));
                RawClient client = allowing.forwardClient()) {
            client.send("CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: h\r\n\r\nquestion")
                    .finish();
            Line line = allowing.accept();
            assertThat(line.rest()).isEqualTo("question");
            line.send("answer").finish();
            assertThat(client.readConnect().status()).isEqualTo(200);
            assertThat(client.rest()).isEqualTo("answer");
        }
    }
}
