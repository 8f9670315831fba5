package dev.postern.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.metrics.StripedHistogram.Times;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.WebSocketHandshake;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the histograms of exchanges and of upstreams count: which exchanges, and which part of their time. */
@ExtendWith(LeakExtension.class)
class ExchangeTimesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String[] EXTENDED_CONNECT = {
        ":method", "CONNECT",
        ":protocol", "websocket",
        ":scheme", "http",
        ":authority", "h",
        ":path", "/",
        "sec-websocket-version", "13"
    };
    private static final Duration WAIT = Duration.ofMillis(30);
    private static final Duration TRANSFER = Duration.ofMillis(400);
    private static final Duration STREAM = Duration.ofSeconds(40);
    private static final Duration FIRST_BYTE = Duration.ofSeconds(50);

    private final ExchangeTimes times = new ExchangeTimes();
    private final MemoryGateway gateway = new MemoryGateway(
            MemoryGateway.setup().ending(times).firstByte(FIRST_BYTE).idle(FIRST_BYTE));
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    private Times durations(String upstream) {
        gateway.ended();
        return histogram(0).of("*/", upstream);
    }

    private Times firstBytes(String response) {
        gateway.ended();
        return histogram(1).of("app", response);
    }

    private StripedHistogram histogram(int index) {
        return times.histograms().get(index);
    }

    private Line asked() {
        client.send(GET);
        Line line = gateway.acceptRequest();
        gateway.pass(WAIT);
        return line;
    }

    @Test
    void countsTheWholeExchangeAndTheWaitForTheUpstream() {
        Line line = asked().send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
        gateway.pass(TRANSFER);
        line.send("a");
        assertThat(client.read().status()).isEqualTo(200);

        assertThat(durations("app").sum()).isEqualTo(WAIT.plus(TRANSFER));
        assertThat(durations("app").count()).isEqualTo(1);
        assertThat(firstBytes("ok").sum()).isEqualTo(WAIT);
        assertThat(firstBytes("ok").count()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"200, ok", "304, ok", "404, 4xx", "500, 5xx", "599, 5xx", "700, 5xx"})
    void separatesResponsesOfTheUpstream(int status, String response) {
        asked().send("HTTP/1.1 " + status + " Text\r\nContent-Length: 0\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(status);

        assertThat(firstBytes(response).count()).isEqualTo(1);
    }

    /** What the client's body takes is no time of the upstream. */
    @Test
    void theWaitBeginsWithTheEndOfTheRequest() {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na");
        Line line = gateway.acceptRequest();
        gateway.pass(TRANSFER);
        client.send("b");
        gateway.ended();
        gateway.pass(WAIT);
        line.ok("hello");
        assertThat(client.read().status()).isEqualTo(200);

        assertThat(firstBytes("ok").sum()).isEqualTo(WAIT);
    }

    @Test
    void aResponseBeforeTheEndOfTheRequestHasNoWait() {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na");
        Line line = gateway.acceptRequest();
        gateway.pass(TRANSFER);
        line.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(503);

        assertThat(firstBytes("5xx").count()).isEqualTo(1);
        assertThat(firstBytes("5xx").sum()).isEqualTo(Duration.ZERO);
    }

    @Test
    void anUpstreamThatDoesNotRespondHasItsTimeToo() {
        asked();
        gateway.pass(FIRST_BYTE.minus(WAIT));
        assertThat(client.read().status()).isEqualTo(504);

        assertThat(firstBytes("none").sum()).isEqualTo(FIRST_BYTE);
        assertThat(durations("app").sum()).isEqualTo(FIRST_BYTE);
    }

    @Test
    void aClientThatLeavesCountsTheTimeUntilThen() {
        asked();
        client.close();

        assertThat(firstBytes("none").sum()).isEqualTo(WAIT);
        assertThat(durations("app").sum()).isEqualTo(WAIT);
    }

    /** A client that leaves within its body says nothing about the upstream. */
    @Test
    void anUnfinishedRequestIsNoWaitForTheUpstream() {
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na");
        gateway.acceptRequest();
        gateway.pass(WAIT);
        client.close();

        assertThat(durations("app").count()).isEqualTo(1);
        assertThat(histogram(1).series()).isEmpty();
    }

    @Test
    void anExchangeWithoutUpstreamHasNone() {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(400);

        gateway.ended();
        assertThat(histogram(0).of("none", "none").count()).isEqualTo(1);
        assertThat(histogram(1).series()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/event-stream; charset=utf-8",
                "Text/Event-Stream",
                "multipart/x-mixed-replace;boundary=a",
                "application/grpc+proto"
            })
    void aStreamCountsUntilItBegins(String type) {
        Line line = asked().send("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n\r\ndata: a\n\n");
        client.readHead();
        gateway.pass(STREAM);
        line.finish().close();

        assertThat(durations("app").count()).isEqualTo(1);
        assertThat(durations("app").sum()).isEqualTo(WAIT);
        assertThat(firstBytes("ok").sum()).isEqualTo(WAIT);
    }

    @Test
    void aStreamThatItsClientLeavesCountsUntilItBegins() {
        asked().send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
        client.readHead();
        gateway.pass(STREAM);
        client.close();

        assertThat(durations("app").sum()).isEqualTo(WAIT);
    }

    @Test
    void aTunnelCountsUntilItOpens() {
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        Line line = gateway.accept();
        gateway.pass(WAIT);
        WebSocketHandshake.agree(line);
        assertThat(client.readHead().status()).isEqualTo(101);
        gateway.pass(STREAM);
        line.close();

        assertThat(durations("app").count()).isEqualTo(1);
        assertThat(durations("app").sum()).isEqualTo(WAIT);
        assertThat(firstBytes("ok").sum()).isEqualTo(WAIT);
    }

    @Test
    void aTunnelOverHttp2CountsUntilItOpens() {
        try (FrameClient http2 = gateway.client2()) {
            http2.headers(1, false, EXTENDED_CONNECT);
            Line line = gateway.accept();
            gateway.pass(WAIT);
            WebSocketHandshake.agree(line);
            http2.await(FrameClient.HEADERS);
            gateway.pass(STREAM);
            http2.reset(1);

            assertThat(durations("app").count()).isEqualTo(1);
            assertThat(durations("app").sum()).isEqualTo(WAIT);
        }
    }

    /** A site with 10,000 routes has as many series as one with some hundreds. */
    @Test
    void boundsTheNumberOfRoutes() {
        asked().ok("hello");
        assertThat(client.read().status()).isEqualTo(200);
        StripedHistogram all = histogram(0);
        for (int i = 0; i < 10_000; i++) {
            all.subject(List.of(), "h" + i + "/", "app");
        }
        assertThat(all.series()).hasSize(ExchangeTimes.PAIRS + 1);
        assertThat(all.series().get(ExchangeTimes.PAIRS)).containsExactly("other", "other");
    }
}
