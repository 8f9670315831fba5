package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.Http2Origin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that clients that hold all connections of a pool with few bytes do not keep others from it. */
@ExtendWith(LeakExtension.class)
class FullPoolIT {

    private static final int CONNECTIONS = 32;

    /** Connections and places to wait. */
    private static final int ATTACKERS = 2 * CONNECTIONS;

    private static final String HONEST = "127.0.0.2";
    private static final int REQUESTS = 20;
    private static final int INITIAL_WINDOW = 4;
    private static final int LARGE = 1 << 20;
    private static final String POST = "POST /held HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n";
    private static final String GRPC =
            "POST /held HTTP/1.1\r\nHost: h\r\nContent-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String BEGUN =
            "POST /held HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n";
    private static final String EXPECTING =
            "POST /held HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    private static final int PIECE = 8192;
    private static final int NOT_SENT = 16_384;
    private static final String WEBSOCKET =
            "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String AGREE =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    private final TestOrigin origin = new TestOrigin();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        origin.close();
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }

    private static UpstreamSettings.Pool pool(int connections, int pending, int streams) {
        return new UpstreamSettings.Pool(
                true, connections, pending, Duration.ofSeconds(55), true, Duration.ofMinutes(10), 0, streams);
    }

    private CoreGateway gateway(int loops) {
        return opened(new CoreGateway(Setup.of(origin.address())
                .loops(loops)
                .connect(Duration.ofSeconds(10))
                .pool(pool(CONNECTIONS, CONNECTIONS, 1))));
    }

    private static void awaitFull(CoreGateway gateway, int connections) {
        await().until(() -> gateway.upstream().state().open() == connections
                && gateway.upstream().idle() == 0);
    }

    private static void assertServed(CoreGateway gateway, String from) {
        try (RawClient client = new RawClient(from, gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    private static void assertServedOften(CoreGateway gateway, String from) {
        for (int i = 0; i < REQUESTS; i++) {
            assertServed(gateway, from);
        }
    }

    /** Keeps one request under way on a connection, and sends it again when it was refused. */
    private void persist(CoreGateway gateway, String request) {
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                try (RawClient client = new RawClient(gateway.port())) {
                    client.send(request);
                    client.rest();
                } catch (IllegalStateException e) {
                    // reset: comes again
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        opened(() -> over.set(true));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void bodiesThatNeverArriveDoNotKeepOtherNetworksOut(int loops) {
        CoreGateway gateway = gateway(loops);
        for (int i = 0; i < ATTACKERS; i++) {
            persist(gateway, POST);
        }
        awaitFull(gateway, CONNECTIONS);
        assertServedOften(gateway, HONEST);
        assertThat(gateway.count("postern.upstream.preempted", "cause", "network-share"))
                .isPositive();
    }

    @Test
    void bodiesThatNeverArriveDoNotKeepTheirOwnNetworkOut() {
        CoreGateway gateway = gateway(2);
        for (int i = 0; i < CONNECTIONS; i++) {
            opened(new RawClient(gateway.port())).send(POST);
        }
        awaitFull(gateway, CONNECTIONS);
        await().untilAsserted(() -> assertServed(gateway, "127.0.0.1"));
        assertServedOften(gateway, "127.0.0.1");
        assertThat(gateway.count("postern.upstream.preempted", "cause", "client-wait"))
                .isPositive();
        assertThat(gateway.ended())
                .filteredOn(one -> one.outcome().status() == 408)
                .isNotEmpty()
                .allMatch(one -> "client-wait".equals(one.outcome().reason()));
    }

    @ParameterizedTest
    @ValueSource(strings = {GRPC, EXPECTING, BEGUN})
    void noKindOfBodyHoldsConnections(String request) {
        CoreGateway gateway = gateway(1);
        for (int i = 0; i < ATTACKERS; i++) {
            persist(gateway, request);
        }
        awaitFull(gateway, CONNECTIONS);
        assertServedOften(gateway, HONEST);
    }

    @Test
    void bodiesOfAByteNowAndThenHoldNoConnection() {
        CoreGateway gateway = gateway(1);
        List<RawClient> attackers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            attackers.add(opened(new RawClient(gateway.port())).send(BEGUN));
        }
        awaitFull(gateway, CONNECTIONS);
        for (int i = 0; i < REQUESTS; i++) {
            attackers.forEach(FullPoolIT::drip);
            assertServed(gateway, HONEST);
        }
    }

    private static void drip(RawClient attacker) {
        try {
            attacker.send("1\r\nx\r\n");
        } catch (IllegalStateException e) {
            // was ended
        }
    }

    /** Requests a large response and never reads it; what the kernel would take for it is less than the response. */
    private static Socket unread(CoreGateway gateway) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(PIECE);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
        client.getOutputStream().write("GET /large HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1));
        return client;
    }

    @Test
    void clientsThatDoNotReadHoldNoConnection() throws IOException {
        byte[] large = new byte[16 * LARGE]; // one for all, since 32 of them would not fit into the heap
        origin.behave((request, socket) -> {
            if (request.line().contains("/large")) {
                TestOrigin.Behaviour.raw("HTTP/1.1 200 OK\r\nContent-Length: " + large.length + "\r\n\r\n")
                        .response(request, socket);
                socket.getOutputStream().write(large);
            } else {
                TestOrigin.Behaviour.ok("small").response(request, socket);
            }
        });
        CoreGateway gateway = opened(new CoreGateway(Setup.of(origin.address())
                .notSent(NOT_SENT)
                .connect(Duration.ofSeconds(10))
                .pool(pool(CONNECTIONS, CONNECTIONS, 1))));
        for (int i = 0; i < CONNECTIONS; i++) {
            opened(unread(gateway));
        }
        awaitFull(gateway, CONNECTIONS);
        // Until the kernel takes no more for them the clients seem to read.
        await().untilAsserted(() -> assertServed(gateway, HONEST));
        assertServedOften(gateway, HONEST);
        assertThat(gateway.count("postern.upstream.preempted", "cause", "network-share")
                        + gateway.count("postern.upstream.preempted", "cause", "client-wait"))
                .as("not by the write timeout")
                .isPositive();
    }

    @Test
    void webSocketsOverStreamsHoldNoConnection() {
        origin.behave((request, socket) -> {
            TestOrigin.Behaviour behaviour = TestOrigin.Behaviour.ok("page");
            if (request.line().contains("/chat")) {
                String key = request.field("Sec-WebSocket-Key");
                behaviour = TestOrigin.Behaviour.raw(
                        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Accept: " + accept(key) + "\r\n\r\n");
            }
            behaviour.response(request, socket);
        });
        CoreGateway gateway = gateway(1);
        FrameClient attacker = opened(FrameClient.connect(gateway.port()));
        for (int i = 0; i < ATTACKERS; i++) {
            attacker.headers(
                    2 * i + 1,
                    false,
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "websocket",
                    ":scheme",
                    "http",
                    ":authority",
                    "h",
                    ":path",
                    "/chat",
                    "sec-websocket-version",
                    "13");
        }
        awaitFull(gateway, CONNECTIONS);
        assertServedOften(gateway, HONEST);
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSlowUploadOfAnotherNetworkGoesOnWhileThePoolIsFull() {
        CoreGateway gateway = gateway(1);
        try (RawClient slow = new RawClient(HONEST, gateway.port())) {
            slow.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + REQUESTS * PIECE + "\r\n\r\n");
            for (int i = 0; i < ATTACKERS; i++) {
                persist(gateway, POST);
            }
            awaitFull(gateway, CONNECTIONS);
            for (int i = 0; i < REQUESTS; i++) {
                slow.send("x".repeat(PIECE));
                assertServed(gateway, "127.0.0.3");
            }
            assertThat(slow.read().status()).isEqualTo(200);
        }
    }

    @Test
    void streamsWithoutAWindowHoldNoConnection() {
        String large = "x".repeat(LARGE);
        origin.behave(
                (request, socket) -> TestOrigin.Behaviour.ok(request.line().contains("/large") ? large : "small")
                        .response(request, socket));
        CoreGateway gateway = gateway(1);
        FrameClient attacker = opened(FrameClient.connect(gateway.port(), INITIAL_WINDOW, 0));
        for (int i = 0; i < ATTACKERS; i++) {
            attacker.get(2 * i + 1, "/large");
        }
        awaitFull(gateway, CONNECTIONS);
        assertServedOften(gateway, HONEST);
    }

    @Test
    void webSocketsDoNotKeepOtherNetworksOut() {
        origin.behave((request, socket) -> {
            TestOrigin.Behaviour behaviour = request.line().contains("/chat")
                    ? TestOrigin.Behaviour.raw(AGREE)
                    : TestOrigin.Behaviour.ok("page");
            behaviour.response(request, socket);
        });
        CoreGateway gateway = gateway(2);
        for (int i = 0; i < ATTACKERS; i++) {
            opened(new RawClient(gateway.port())).send(WEBSOCKET);
        }
        awaitFull(gateway, CONNECTIONS);
        assertServedOften(gateway, HONEST);
    }

    @Test
    void streamsToAnHttp2UpstreamAreCountedAsStreams() {
        Http2Origin streams = opened(new Http2Origin());
        CoreGateway gateway = opened(new CoreGateway(Setup.of(streams.address())
                .toHttp2(null)
                .connect(Duration.ofSeconds(10))
                .pool(pool(1, CONNECTIONS, 8))));
        for (int i = 0; i < 8 + CONNECTIONS; i++) {
            persist(gateway, POST);
        }
        awaitFull(gateway, 1);
        assertServedOften(gateway, HONEST);
    }

    @Test
    void nobodyIsEndedWhileThePoolHasFreeConnections() {
        CoreGateway gateway = gateway(2);
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS - 1; i++) {
            slow.add(opened(new RawClient(gateway.port())).send(POST));
        }
        await().until(() -> gateway.upstream().state().open() == CONNECTIONS - 1);
        assertServedOften(gateway, HONEST);
        slow.forEach(client -> client.send("123456789"));
        slow.forEach(client -> assertThat(client.read().status()).isEqualTo(200));
    }
}
