package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.LoopbackPort;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.UdpTunnelClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
@Tag("long")
class HalfClosedTunnelsIT {

    private static final int WINDOW = 65_535;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final RawOrigin origin = new RawOrigin();
    private final AtomicInteger over = new AtomicInteger();
    private CoreGateway gateway = new CoreGateway(setup());

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private Setup setup() {
        return Setup.of(origin.address()).admit(new OverListener(over));
    }

    private void restart(Setup setup) {
        gateway.close();
        gateway = new CoreGateway(setup);
    }

    private static ForwardPolicy.Tunnel idle(Duration idle) {
        return new ForwardPolicy.Tunnel(idle, Duration.ZERO, 0);
    }

    /** Counts exchanges that are over: until then a tunnel keeps its place in a room and its permit. */
    private static final class OverListener extends ExchangeStage {

        private final AtomicInteger over;

        OverListener(AtomicInteger over) {
            super(StageName.ADMIT);
            this.over = over;
        }

        @Override
        protected void onExchange(Exchange exchange) {
            exchange.whenOver(over::incrementAndGet);
            proceed(exchange);
        }
    }

    // ---- clients

    private ClientTunnel open(int version) {
        return version == 1
                ? new ClientTunnel.OfSocket(connect1())
                : new ClientTunnel.OfStream(connect2(origin.address()), 1);
    }

    private RawClient connect1() {
        RawClient client = new RawClient(gateway.forwardPort());
        client.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
        assertThat(client.readConnect().status()).isEqualTo(200);
        return client;
    }

    private FrameClient connect2(String target) {
        FrameClient client = FrameClient.connect(gateway.forwardPort());
        client.headers(1, false, ":method", "CONNECT", ":authority", target);
        client.await(HEADERS);
        assertThat(client.soFar(1).status()).isEqualTo("200");
        return client;
    }

    /** Checks that the exchange has ended in order, and that the stream was not reset. */
    private void assertComplete(FrameClient client) {
        await().until(() -> gateway.ended().size() == 1 && over.get() == 1);
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        assertThat(client.soFar(1).reset()).isEmpty();
    }

    // ---- one direction ends

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theClientMaySendAfterTheDestinationHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
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
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theDestinationMaySendAfterTheClientHasEnded(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            tunnel.send("all");
            tunnel.finish();
            assertThat(line.rest()).isEqualTo("all");
            line.send("more");
            assertThat(tunnel.read(4)).isEqualTo("more");
            assertThat(over).as("the destination's side is open").hasValue(0);
            line.finish();
            tunnel.awaitEnd();
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bothMayEndAtOnce(int version) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            CompletableFuture<Void> other =
                    CompletableFuture.runAsync(() -> line.send("theirs").finish());
            tunnel.send("ours");
            tunnel.finish();
            assertThat(tunnel.read(6)).isEqualTo("theirs");
            tunnel.awaitEnd();
            other.join();
            assertThat(line.rest()).isEqualTo("ours");
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertComplete(stream.client());
            }
        }
    }

    @Test
    void requestsFollowATunnelOnItsConnection() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            line.finish();
            client.data(1, true, "");
            assertComplete(client);
            String[] fields = new String[2 * 40 + 8];
            System.arraycopy(
                    new String[] {":method", "GET", ":scheme", "http", ":authority", origin.address(), ":path", "/next"
                    },
                    0,
                    fields,
                    0,
                    8);
            for (int i = 8; i < fields.length; i += 2) {
                fields[i] = "x-field-" + i;
                fields[i + 1] = "v".repeat(i);
            }
            client.headers(3, true, fields);
            Line next = origin.accept();
            assertThat(next.readHead()).contains("/next ", "x-field-86: " + "v".repeat(86));
            next.ok("next");
            assertThat(client.response(3).body()).isEqualTo("next");
        }
    }

    @Test
    void aConnectMayEndTheClientsSideAtOnce() {
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            client.headers(1, true, ":method", "CONNECT", ":authority", origin.address());
            Line line = origin.accept();
            assertThat(line.rest()).isEmpty();
            line.send("answer").finish();
            assertThat(client.response(1).body()).isEqualTo("answer");
            assertComplete(client);
        }
    }

    // ---- flow control

    @Test
    void aPausedClientIsReadToItsEndAfterTheDestinationHasEnded() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
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
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
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
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            int sent = StreamWindow.fill(client);
            assertThat(line.read(sent)).hasSize(sent);
            client.data(1, true, "last");
            assertThat(line.rest()).isEqualTo("last");
            assertComplete(client);
        }
    }

    /** The last bytes wait for a window after both sides have ended, and after the connection to the destination is closed. */
    @Test
    void theRestOfADestinationThatHasEndedWaitsForTheWindow() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            int size = WINDOW + 30_000;
            line.send("x".repeat(size)).finish();
            Response response = client.soFar(1);
            while (response.length() < WINDOW) {
                client.next();
            }
            client.data(1, true, "last");
            assertThat(line.rest()).isEqualTo("last");
            await().until(() -> gateway.tunnels() == 0);
            assertThat(over).as("the end of the stream waits").hasValue(0);
            client.window(0, 100_000).window(1, 100_000);
            assertThat(client.response(1).length()).isEqualTo(size);
            assertComplete(client);
        }
    }

    @Test
    void aClientWhoseWindowStaysClosedIsResetAfterBothHaveEnded() {
        restart(setup().http2(briefWindows()));
        try (FrameClient client = connect2(origin.address())) {
            client.window(0, 100_000);
            Line line = origin.accept();
            line.send("x".repeat(WINDOW + 30_000)).finish();
            client.data(1, true, "last");
            assertThat(line.rest()).isEqualTo("last");
            assertThat(client.response(1).reset()).isEqualTo("CANCEL");
            await().until(() -> over.get() == 1);
            assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
        }
    }

    private static Http2Limits briefWindows() {
        Rate rate = Rate.of("600/m");
        return new Http2Limits(
                128,
                ByteSize.of("64KiB"),
                ByteSize.of("64KiB"),
                ByteSize.of("4KiB"),
                8,
                Duration.ofMillis(300),
                rate,
                rate,
                rate);
    }

    @Test
    void aClosedWindowEndsNoTunnelWhoseClientMaySend() {
        restart(setup().http2(briefWindows()));
        try (FrameClient client = connect2(origin.address())) {
            client.window(0, 1_000_000);
            int size = WINDOW + 30_000;
            origin.accept().send("x".repeat(size)).finish();
            Response response = client.soFar(1);
            while (response.length() < WINDOW) {
                client.next();
            }
            client.headers(3, true, ":method", "GET", ":scheme", "http", ":authority", origin.address(), ":path", "/");
            Line other = origin.accept();
            other.readHead();
            other.ok("x".repeat(size)); // the same sweep finds the closed windows of responses
            assertThat(client.response(3).reset()).isEqualTo("CANCEL");
            client.window(1, 100_000);
            assertThat(client.response(1).length()).isEqualTo(size);
            assertThat(client.soFar(1).reset()).isEmpty();
        }
    }

    @Test
    void aDestinationThatNeverReadsIsResetSomeTimeAfterTheEnd() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            StreamWindow.fill(client);
            client.data(1, true, "last");
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            assertComplete(client);
            assertThat(gateway.tunnels()).isOne();
            await().atMost(LONG).until(() -> gateway.tunnels() == 0);
        }
    }

    // ---- resets

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetOfTheDestinationResetsTheStream(boolean halfClosed) {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            if (halfClosed) {
                line.finish();
                assertThat(client.response(1).ended()).isTrue();
            }
            line.reset();
            client.data(1, false, "more"); // a socket without readers learns of the reset when it writes
            assertThat(client.await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
            assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, none", "1, destination", "1, client", "2, none", "2, destination", "2, client"})
    void aResetOfTheClientClosesTheConnectionToTheDestination(int version, String ended) {
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            if (ended.equals("destination")) {
                line.finish();
                tunnel.awaitEnd();
            } else if (ended.equals("client")) {
                tunnel.finish();
                assertThat(line.rest()).isEmpty();
            }
            tunnel.reset();
            if (tunnel instanceof ClientTunnel.OfSocket && ended.equals("client")) {
                line.send("more"); // a socket without readers learns of the reset when it writes
            }
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
        }
    }

    @Test
    void invalidTrailersResetAHalfClosedTunnel() {
        try (FrameClient client = connect2(origin.address())) {
            Line line = origin.accept();
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
            client.frame(HEADERS, END_HEADERS | END_STREAM, 1, FieldBlock.of(":path", "/"));
            assertThat(client.await(RST_STREAM).error()).isEqualTo("PROTOCOL_ERROR");
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
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
            Line line = origin.accept();
            line.finish();
            tunnel.awaitEnd();
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertThat(stream.client().await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            }
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, idle", "1, lifetime", "2, idle", "2, lifetime"})
    void aTimeLimitEndsATunnelWhoseClientHasEnded(int version, String limit) {
        restart(setup().tunnel(brief(limit)));
        try (ClientTunnel tunnel = open(version)) {
            Line line = origin.accept();
            tunnel.finish();
            assertThat(line.rest()).isEmpty();
            if (tunnel instanceof ClientTunnel.OfStream stream) {
                assertThat(stream.client().await(RST_STREAM).error()).isEqualTo("CONNECT_ERROR");
            } else {
                tunnel.awaitEnd();
            }
            await().until(() -> over.get() == 1 && gateway.tunnels() == 0);
        }
    }

    private static ForwardPolicy.Tunnel brief(String limit) {
        Duration brief = Duration.ofSeconds(1);
        return limit.equals("idle") ? idle(brief) : new ForwardPolicy.Tunnel(Duration.ofMinutes(5), brief, 0);
    }

    @Test
    void aDrainEndsHalfClosedStreamsAndTheirConnection() {
        try (FrameClient client = connect2(origin.address())) {
            Line one = origin.accept();
            client.headers(3, false, ":method", "CONNECT", ":authority", origin.address());
            client.await(HEADERS);
            Line two = origin.accept();
            one.finish();
            assertThat(client.response(1).ended()).isTrue();
            client.data(3, true, "");
            assertThat(two.rest()).isEmpty();
            CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> drain(LONG));
            assertThat(client.closedByPeer()).isTrue();
            assertThat(client.soFar(3).reset()).isEqualTo("CONNECT_ERROR");
            assertThat(drained.join()).as("connections cut off by the drain").isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDrainResetsAStreamWhoseUdpTunnelHasEnded(boolean before) throws Exception {
        Duration idle = before ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
        restart(setup().udp(Setup.udp(List.of("1-65535"), idle)));
        try (LoopbackPort service = LoopbackPort.open();
                FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            String path = "/.well-known/masque/udp/127.0.0.1/" + service.number() + "/";
            client.headers(1, false, UdpTunnelClient.extendedConnect(path));
            client.await(HEADERS);
            assertThat(client.soFar(1).status()).isEqualTo("200");
            if (before) {
                assertThat(client.response(1).ended()).isTrue();
            }
            CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> drain(LONG));
            assertThat(client.closedByPeer()).isTrue();
            assertThat(client.soFar(1).ended()).isTrue();
            assertThat(client.soFar(1).reset()).isEqualTo("NO_ERROR");
            assertThat(drained.join()).as("connections cut off by the drain").isZero();
        }
    }

    private int drain(Duration limit) {
        try {
            return gateway.server().drain(limit);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.headers(1, false, WEBSOCKET);
            Line line = origin.accept();
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
        try (FrameOrigin server = new FrameOrigin()) {
            restart(Setup.of(server.address()).toHttp2(null).admit(new OverListener(over)));
            if (version == 1) {
                try (RawClient client = new RawClient(gateway.port())) {
                    client.send("GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
                    agree(server).data(1, true, "bye");
                    assertThat(client.readHead().status()).isEqualTo(101);
                    assertThat(client.rest()).isEqualTo("bye");
                }
            } else {
                try (FrameClient client = FrameClient.connect(gateway.port())) {
                    client.headers(1, false, WEBSOCKET);
                    agree(server).data(1, true, "bye");
                    assertThat(client.response(1).body()).isEqualTo("bye");
                    assertComplete(client);
                }
            }
            await().until(() -> over.get() == 1);
        }
    }

    private static FrameClient agree(FrameOrigin server) {
        FrameClient line = server.accept(8, 1); // SETTINGS_ENABLE_CONNECT_PROTOCOL
        line.await(HEADERS);
        return line.headers(1, false, ":status", "200");
    }
}
