package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestPool;
import dev.postern.core.testing.WebSocketHandshake;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that clients that hold all connections of a pool with few bytes do not keep others from it, whatever their bytes are. */
@ExtendWith(LeakExtension.class)
class FullPoolTest {

    private static final int CONNECTIONS = 8;

    /** Connections and places to wait. */
    private static final int ATTACKERS = 2 * CONNECTIONS;

    private static final String ATTACKER = "192.0.2.7";
    private static final String HONEST = "192.0.2.8";
    private static final String OTHER = "192.0.2.9";
    private static final int REQUESTS = 20;
    private static final int INITIAL_WINDOW = 4;
    private static final int LARGE = 1 << 20;
    private static final int PIECE = 8192;
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String POST = "POST /held HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n";
    private static final String GRPC =
            "POST /held HTTP/1.1\r\nHost: h\r\nContent-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String BEGUN =
            "POST /held HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n";
    private static final String EXPECTING =
            "POST /held HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    private static final String WEBSOCKET =
            "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    /** Time of a step, less than the pause after which an exchange counts as waiting. */
    private static final Duration STEP = Duration.ofMillis(100);

    /** Steps of the time that a request may wait for a connection. */
    private static final int PATIENCE = 100;

    private final List<Attacker> attackers = new ArrayList<>();
    private MemoryGateway gateway = gateway(pool(CONNECTIONS, CONNECTIONS, 1));
    private final MemoryOrigin origin = gateway.origin();
    private int ended;

    @AfterEach
    void close() {
        gateway.close();
    }

    private static UpstreamSettings.Pool pool(int connections, int pending, int streams) {
        return TestPool.of(connections, pending, streams);
    }

    private static MemoryGateway gateway(UpstreamSettings.Pool pool) {
        return new MemoryGateway(
                MemoryGateway.setup().connect(STEP.multipliedBy(PATIENCE)).pool(pool));
    }

    /** Client that keeps one request under way, and sends it again when it was refused. */
    private final class Attacker {

        private final String request;
        private RawClient client;

        Attacker(String request) {
            this.request = request;
            this.client = gateway.client(ATTACKER).send(request);
        }

        void persist() {
            try {
                client.rest();
                client = gateway.client(ATTACKER).send(request);
            } catch (IllegalStateException e) {
                // still open
            }
        }

        void drip() {
            try {
                client.send("1\r\nx\r\n");
            } catch (IllegalStateException e) {
                // was ended
            }
        }
    }

    private void attack(int count, String request) {
        for (int i = 0; i < count; i++) {
            attackers.add(new Attacker(request));
        }
    }

    /** Lets attackers whose request was refused come again. */
    private void persist() {
        int now = gateway.ended().size();
        if (now != ended) {
            ended = now;
            attackers.forEach(Attacker::persist);
        }
    }

    private void assertFull(int connections) {
        assertThat(gateway.upstream().state().open()).isEqualTo(connections);
        assertThat(gateway.upstream().idle()).isZero();
    }

    private void assertServed(String from, Runnable meanwhile) {
        try (RawClient client = gateway.client(from)) {
            int before = served();
            client.send(GET);
            for (int i = 0; i < PATIENCE && served() == before; i++) {
                meanwhile.run();
                gateway.pass(STEP);
            }
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    /** Returns how many requests of other clients than attackers have arrived. */
    private int served() {
        return (int) origin.received().stream()
                .filter(request -> request.line().startsWith("GET / "))
                .count();
    }

    private void assertServedOften(String from) {
        for (int i = 0; i < REQUESTS; i++) {
            assertServed(from, this::persist);
        }
    }

    private double preempted(String cause) {
        return gateway.count("postern.upstream.preempted", "cause", cause);
    }

    @Test
    void bodiesThatNeverArriveDoNotKeepOtherNetworksOut() {
        attack(ATTACKERS, POST);
        assertFull(CONNECTIONS);
        assertServedOften(HONEST);
        assertThat(preempted("network-share")).isPositive();
    }

    @Test
    void bodiesThatNeverArriveDoNotKeepTheirOwnNetworkOut() {
        for (int i = 0; i < CONNECTIONS; i++) {
            gateway.client(ATTACKER).send(POST);
        }
        assertFull(CONNECTIONS);
        assertServedOften(ATTACKER);
        assertThat(preempted("client-wait")).isPositive();
        assertThat(gateway.ended())
                .filteredOn(one -> one.outcome().status() == 408)
                .isNotEmpty()
                .allMatch(one -> "client-wait".equals(one.outcome().reason()));
    }

    @ParameterizedTest
    @ValueSource(strings = {GRPC, EXPECTING, BEGUN})
    void noKindOfBodyHoldsConnections(String request) {
        attack(ATTACKERS, request);
        assertFull(CONNECTIONS);
        assertServedOften(HONEST);
    }

    @Test
    void bodiesOfAByteNowAndThenHoldNoConnection() {
        attack(CONNECTIONS, BEGUN);
        assertFull(CONNECTIONS);
        for (int i = 0; i < REQUESTS; i++) {
            assertServed(HONEST, () -> attackers.forEach(Attacker::drip));
        }
    }

    private static void chat(TestOrigin.Received request, Socket socket) throws IOException {
        TestOrigin.Behaviour behaviour = request.line().contains("/chat")
                ? TestOrigin.Behaviour.raw(WebSocketHandshake.response(request.head()))
                : TestOrigin.Behaviour.ok("page");
        behaviour.response(request, socket);
    }

    @Test
    void webSocketsOverStreamsHoldNoConnection() {
        origin.behave(FullPoolTest::chat);
        FrameClient attacker = gateway.client2();
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
        assertFull(CONNECTIONS);
        assertServedOften(HONEST);
    }

    @Test
    void webSocketsDoNotKeepOtherNetworksOut() {
        origin.behave(FullPoolTest::chat);
        for (int i = 0; i < ATTACKERS; i++) {
            gateway.client(ATTACKER).send(WEBSOCKET);
        }
        assertFull(CONNECTIONS);
        assertServedOften(HONEST);
    }

    @Test
    void aSlowUploadOfAnotherNetworkGoesOnWhileThePoolIsFull() {
        try (RawClient slow = gateway.client(HONEST)) {
            slow.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + REQUESTS * PIECE + "\r\n\r\n");
            attack(ATTACKERS, POST);
            assertFull(CONNECTIONS);
            for (int i = 0; i < REQUESTS; i++) {
                slow.send("x".repeat(PIECE));
                assertServed(OTHER, this::persist);
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
        FrameClient attacker = gateway.client2(INITIAL_WINDOW, 0);
        for (int i = 0; i < ATTACKERS; i++) {
            attacker.get(2 * i + 1, "/large");
        }
        assertFull(CONNECTIONS);
        assertServedOften(HONEST);
    }

    @Test
    void streamsToAnHttp2UpstreamAreCountedAsStreams() {
        gateway.close();
        gateway = new MemoryGateway(MemoryGateway.setup()
                .toHttp2(null)
                .connect(STEP.multipliedBy(PATIENCE))
                .pool(pool(1, CONNECTIONS, 8)));
        attack(8 + CONNECTIONS, POST);
        assertFull(1);
        FrameClient server = gateway.accept2();
        for (int i = 0; i < REQUESTS; i++) {
            try (RawClient client = gateway.client(HONEST)) {
                client.send(GET);
                for (int step = 0, found = 0; step < PATIENCE && found == 0; step++) {
                    persist();
                    gateway.pass(STEP);
                    found = served(server);
                }
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    /** Responds to requests of other clients than attackers; returns their number. */
    private static int served(FrameClient server) {
        int found = 0;
        for (FrameClient.Frame frame : server.arrived()) {
            if (frame.type() == FrameClient.HEADERS && frame.has(FrameClient.END_STREAM)) {
                server.headers(frame.stream(), true, ":status", "200");
                found++;
            }
        }
        return found;
    }

    @Test
    void noExchangeEndsWhileThePoolHasFreeConnections() {
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS - 1; i++) {
            slow.add(gateway.client(ATTACKER).send(POST));
        }
        assertThat(gateway.upstream().state().open()).isEqualTo(CONNECTIONS - 1);
        assertServedOften(HONEST);
        gateway.pass(Duration.ofSeconds(10)); // longer than any patience of the rule
        slow.forEach(client -> client.send("123456789"));
        slow.forEach(client -> assertThat(client.read().status()).isEqualTo(200));
    }
}
