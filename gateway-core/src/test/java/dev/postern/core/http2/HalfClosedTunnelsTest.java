package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.WebSocketHandshake;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests tunnels of which one side has ended its direction: the other direction stays open, and the tunnel lasts until both have ended (RFC
 * 9113 section 8.5 for streams).
 */
@ExtendWith(LeakExtension.class)
class HalfClosedTunnelsTest {

    private static final int WINDOW = 65_535;
    private static final String DESTINATION = "127.0.0.1:8080";
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private final AtomicInteger over = new AtomicInteger();
    private MemoryGateway gateway = new MemoryGateway(setup());

    @AfterEach
    void close() {
        gateway.close();
    }

    private Setup setup() {
        return MemoryGateway.setup().admit(new OverListener(over));
    }

    private void restart(Setup setup) {
        gateway.close();
        gateway = new MemoryGateway(setup);
    }

    // ---- clients

    private ClientTunnel open(int version) {
        return version == 1 ? new ClientTunnel.OfSocket(connect1()) : new ClientTunnel.OfStream(connect2(), 1);
    }

    private RawClient connect1() {
        RawClient client = gateway.forwardClient();
        client.send("CONNECT " + DESTINATION + " HTTP/1.1\r\nHost: " + DESTINATION + "\r\n\r\n");
        assertThat(client.readConnect().status()).isEqualTo(200);
        return client;
    }

    private FrameClient connect2() {
        FrameClient client = gateway.forwardClient2();
        client.headers(1, false, ":method", "CONNECT", ":authority", DESTINATION);
        client.await(HEADERS);
        assertThat(client.soFar(1).status()).isEqualTo("200");
        return client;
    }

    /** Checks that the exchange has ended in order, and that the stream was not reset. */
    private void assertComplete(FrameClient client) {
        assertThat(gateway.ended()).hasSize(1);
        assertThat(over).hasValue(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        assertThat(client.soFar(1).reset()).isEmpty();
    }

    /** Checks that the exchange is over, and its connection to the destination closed. */
    private void assertOver() {
        assertThat(gateway.tunnels()).isZero();
        assertThat(over).hasValue(1);
    }

    // ---- one direction ends

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theClientMaySendAfterTheDestinationHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = gateway.accept();
            line.send("all").finish();
            assertThat(tunnel.read(3)).isEqualTo("all");
            tunnel.awaitEnd();
            tunnel.send("more");
            assertThat(line.read(4)).isEqualTo("more");
            tunnel.send("and more");
            assertThat(line.read(8)).isEqualTo("and more");
            assertThat(over).as("the client's side is open").hasValue(0);
            assertThat(gateway.tunnels()).isOne();
            tunnel.finish();
            assertThat(line.rest()).isEmpty();
            assertOver();
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theDestinationMaySendAfterTheClientHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = gateway.accept();
            tunnel.send("all");
            tunnel.finish();
            assertThat(line.rest()).isEqualTo("all");
            line.send("more");
            assertThat(tunnel.read(4)).isEqualTo("more");
            assertThat(over).as("the destination's side is open").hasValue(0);
            line.finish();
            tunnel.awaitEnd();
            assertOver();
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @Test
    void requestsFollowATunnelOnItsConnection() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            line.finish();
            client.data(1, true, "");
            assertComplete(client);
            String[] fields = new String[2 * 40 + 8];
            System.arraycopy(
                    new String[] {":method", "GET", ":scheme", "http", ":authority", DESTINATION, ":path", "/next"},
                    0,
                    fields,
                    0,
                    8);
            for (int i = 8; i < fields.length; i += 2) {
                fields[i] = "x-field-" + i;
                fields[i + 1] = "v".repeat(i);
            }
            client.headers(3, true, fields);
            Line next = gateway.accept();
            assertThat(next.readHead()).contains("/next ", "x-field-86: " + "v".repeat(86));
            next.ok("next");
            assertThat(client.response(3).body()).isEqualTo("next");
        }
    }

    @Test
    void aConnectMayEndTheClientsSideAtOnce() {
        try (FrameClient client = gateway.forwardClient2()) {
            client.headers(1, true, ":method", "CONNECT", ":authority", DESTINATION);
            Line line = gateway.accept();
            assertThat(line.rest()).isEmpty();
            line.send("answer").finish();
            assertThat(client.response(1).body()).isEqualTo("answer");
            assertComplete(client);
        }
    }

    // ---- flow control

    @Test
    void aPausedClientIsReadToItsEndAfterTheDestinationHasEnded() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            int sent = StreamWindow.fill(client);
            client.data(1, true, "last");
            assertComplete(client);
            assertThat(line.rest()).hasSize(sent + 4).endsWith("xlast");
        }
    }

    @Test
    void whatAPausedClientHasSentIsNotLostWhenTheDestinationEndsAfterwards() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            int sent = StreamWindow.fill(client);
            client.data(1, true, "last");
            line.send("answer").finish();
            assertThat(client.response(1).body()).isEqualTo("answer");
            assertComplete(client);
            assertThat(line.rest()).hasSize(sent + 4).endsWith("xlast");
        }
    }

    @Test
    void aHalfClosedTunnelPausesAndContinues() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            int sent = StreamWindow.fill(client);
            assertThat(line.read(sent)).hasSize(sent);
            client.data(1, true, "last");
            assertThat(line.rest()).isEqualTo("last");
            assertComplete(client);
        }
    }

    private static Http2Limits briefWindows() {
        Rate rate = Rate.of("600/m");
        return new Http2Limits(
                128, ByteSize.of("64KiB"), ByteSize.of("64KiB"), ByteSize.of("4KiB"), 8, BRIEF, rate, rate, rate);
    }

    @Test
    void aClosedWindowEndsNoTunnelWhoseClientMaySend() {
        restart(setup().http2(briefWindows()));
        try (FrameClient client = connect2()) {
            client.window(0, 1_000_000);
            int size = WINDOW + 30_000;
            gateway.accept().send("x".repeat(size)).finish();
            Response response = client.soFar(1);
            while (response.length() < WINDOW) {
                client.next();
            }
            client.headers(3, true, ":method", "GET", ":scheme", "http", ":authority", DESTINATION, ":path", "/");
            Line other = gateway.accept();
            other.readHead();
            other.ok("x".repeat(size)); // the same sweep finds the closed windows of responses
            gateway.pass(BRIEF.multipliedBy(3));
            assertThat(client.response(3).reset()).isEqualTo("CANCEL");
            client.window(1, 100_000);
            assertThat(client.response(1).length()).isEqualTo(size);
            assertThat(client.soFar(1).reset()).isEmpty();
        }
    }

    @Test
    void aDestinationThatNeverReadsIsResetSomeTimeAfterTheEnd() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            StreamWindow.fill(client);
            client.data(1, true, "last");
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            assertComplete(client);
            assertThat(gateway.tunnels()).isOne();
            gateway.pass(Duration.ofSeconds(15));
            assertThat(gateway.tunnels()).isZero();
        }
    }

    // ---- resets

    @Test
    void invalidTrailersResetAHalfClosedTunnel() {
        try (FrameClient client = connect2()) {
            Line line = gateway.accept();
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            client.frame(HEADERS, END_HEADERS | END_STREAM, 1, FieldBlock.of(":path", "/"));
            assertThat(client.await(RST_STREAM).error()).isEqualTo("PROTOCOL_ERROR");
            assertOver();
            assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(client.soFar(1).reset()).as("the last reset").isEqualTo("PROTOCOL_ERROR");
        }
    }

    // ---- time limits

    @ParameterizedTest
    @CsvSource({"1, idle", "1, lifetime", "2, idle", "2, lifetime"})
    void aTimeLimitEndsATunnelWhoseDestinationHasEnded(int version, String limit) {
        restart(setup().tunnel(brief(limit)));
        try (ClientTunnel tunnel = open(version)) {
            Line line = gateway.accept();
            line.finish();
            tunnel.awaitEnd();
            assertThat(over).hasValue(0);
            gateway.pass(BRIEF.multipliedBy(2));
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertThat(stream.client().await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            }
            assertOver();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, idle", "1, lifetime", "2, idle", "2, lifetime"})
    void aTimeLimitEndsATunnelWhoseClientHasEnded(int version, String limit) {
        restart(setup().tunnel(brief(limit)));
        try (ClientTunnel tunnel = open(version)) {
            Line line = gateway.accept();
            tunnel.finish();
            assertThat(line.rest()).isEmpty();
            assertThat(over).hasValue(0);
            gateway.pass(BRIEF.multipliedBy(2));
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertThat(stream.client().await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            } else {
                tunnel.awaitEnd();
            }
            assertOver();
        }
    }

    private static ForwardSettings.Tunnel brief(String limit) {
        return limit.equals("idle")
                ? new ForwardSettings.Tunnel(BRIEF, Duration.ZERO, 0)
                : new ForwardSettings.Tunnel(Duration.ofMinutes(5), BRIEF, 0);
    }

    // ---- WebSockets

    private static final String[] WEBSOCKET = {
        ":method", "CONNECT",
        ":protocol", "websocket",
        ":scheme", "http",
        ":authority", "site.example",
        ":path", "/chat",
        "sec-websocket-version", "13"
    };

    @Test
    void aWebSocketHalfClosesTowardsAServerOfHttp1() {
        try (FrameClient client = gateway.client2()) {
            client.headers(1, false, WEBSOCKET);
            Line line = gateway.accept();
            WebSocketHandshake.agree(line);
            client.await(HEADERS);
            line.send("bye").finish();
            assertThat(client.response(1).body()).isEqualTo("bye");
            client.data(1, false, "late");
            assertThat(line.read(4)).isEqualTo("late");
            assertThat(over).as("the client's side is open").hasValue(0);
            client.data(1, true, " words");
            assertThat(line.rest()).isEqualTo(" words");
            assertComplete(client);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aServerOfHttp2EndsAWebSocketInOrder(int version) {
        restart(setup().toHttp2(null));
        if (version == 1) {
            try (RawClient client = gateway.client()) {
                client.send("GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                agree().data(1, true, "bye");
                assertThat(client.readHead().status()).isEqualTo(101);
                assertThat(client.rest()).isEqualTo("bye");
            }
        } else {
            try (FrameClient client = gateway.client2()) {
                client.headers(1, false, WEBSOCKET);
                agree().data(1, true, "bye");
                assertThat(client.response(1).body()).isEqualTo("bye");
                assertComplete(client);
            }
        }
        assertThat(over).hasValue(1);
    }

    private FrameClient agree() {
        FrameClient line = gateway.accept2(8, 1); // SETTINGS_ENABLE_CONNECT_PROTOCOL
        line.await(HEADERS);
        return line.headers(1, false, ":status", "200");
    }

    @Test
    void aDrainEndsHalfClosedStreamsAndTheirConnection() {
        try (FrameClient client = connect2()) {
            Line one = gateway.accept();
            client.headers(3, false, ":method", "CONNECT", ":authority", DESTINATION);
            client.await(HEADERS);
            Line two = gateway.accept();
            one.finish();
            assertThat(client.response(1).ended()).isTrue();
            client.data(3, true, "");
            assertThat(two.rest()).isEmpty();
            gateway.forward().drain();
            gateway.pass(Duration.ofSeconds(30));
            assertThat(client.closedByPeer()).isTrue();
            assertThat(client.soFar(3).reset()).isEqualTo("CONNECT_ERROR");
            assertThat(gateway.forward().connections()).isZero();
        }
    }
}
