package dev.postern.core.proxy;

import static dev.postern.core.proxy.TinyPieces.PIECES;
import static dev.postern.core.proxy.TinyPieces.READ;
import static dev.postern.core.proxy.TinyPieces.bounded;
import static dev.postern.core.proxy.TinyPieces.chunks;
import static dev.postern.core.proxy.TinyPieces.readPieces;
import static dev.postern.core.proxy.TinyPieces.singly;
import static dev.postern.core.proxy.TinyPieces.whilePaused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.UpgradePolicy;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.CountedSockets;
import dev.postern.core.testing.CountedSockets.Counts;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestRoute;
import dev.postern.core.transport.Transport;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests, by counts at the sockets, that the pieces of one read are joined and sent with one write, in each relay, both directions and both
 * transports. The event loop pauses while the pieces are sent, so that they arrive in as few reads as possible.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(
        value = Transport.Kind.class,
        names = {"NIO", "EPOLL"})
@ExtendWith(LeakExtension.class)
class TinyPiecesIT {

    private static final String[] OK = {":status", "200"};
    private static final String CHUNKED_POST =
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n";
    private static final String UPGRADE =
            "GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";

    private final Transport.Kind transport;
    private final RawOrigin origin = new RawOrigin();
    private final FrameOrigin origin2 = new FrameOrigin();
    private CoreGateway gateway;

    TinyPiecesIT(Transport.Kind transport) {
        this.transport = transport;
        this.gateway = start(setup(origin.address()));
    }

    private static Setup setup(String endpoint) {
        UpgradePolicy policy = new UpgradePolicy(List.of("tcp"), Duration.ofMinutes(1), Duration.ZERO, 0);
        RouteTransform transform = KeyDefaults.with(RouteTransform.PLAIN, Map.of("policy", policy));
        return Setup.of(endpoint).transport(CountedSockets::in).route(route -> TestRoute.with(route, transform));
    }

    private CoreGateway start(Setup setup) {
        return new CoreGateway(setup, transport);
    }

    private void toHttp2() {
        gateway.close();
        gateway = start(setup(origin2.address()).toHttp2(null));
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
        origin2.close();
    }

    private static byte[] frames(int stream, String piece) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] frame = FrameClient.raw(FrameClient.DATA, 0, stream, piece.getBytes(ISO_8859_1));
        for (int i = 0; i < PIECES; i += Math.max(1, piece.length())) {
            all.writeBytes(frame);
        }
        return all.toByteArray();
    }

    /** Returns frames of one byte of the streams 1 and 3 in turn. */
    private static byte[] framesInTurn() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = {'x'};
        byte[] first = FrameClient.raw(FrameClient.DATA, 0, 1, piece);
        byte[] second = FrameClient.raw(FrameClient.DATA, 0, 3, piece);
        for (int i = 0; i < PIECES; i++) {
            all.writeBytes(first);
            all.writeBytes(second);
        }
        return all.toByteArray();
    }

    private static void readFramesInTurn(FrameClient end) {
        int frames = 0;
        while (end.soFar(1).length() < 1 + PIECES || end.soFar(3).length() < 1 + PIECES) {
            assertThat(end.next()).isNotNull();
            frames++;
        }
        assertThat(frames).as("frames").isLessThanOrEqualTo(PIECES / 100);
    }

    private static void readFrames(FrameClient end, int stream) {
        int before = end.soFar(stream).length();
        while (end.soFar(stream).length() < before + PIECES) {
            assertThat(end.next()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "xxxxxxxx"})
    void chunksOfAClientBecomeOneWrite(String piece) {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(CHUNKED_POST);
            Line line = origin.accept();
            line.readUntil("y\r\n");
            whilePaused(gateway, () -> client.send(chunks(piece)), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void chunksOfAClientBecomeFewFrames() {
        toHttp2();
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(CHUNKED_POST);
            FrameClient server = origin2.accept();
            server.await(FrameClient.DATA);
            whilePaused(gateway, () -> client.send(chunks("x")), () -> readFrames(server, 1));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void framesOfAClientBecomeOneChunk() {
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.post(1, "/a").data(1, false, "y");
            Line line = origin.accept();
            line.readUntil("y\r\n");
            whilePaused(gateway, () -> client.bytes(frames(1, "x")), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void framesOfAClientBecomeFewFrames() {
        toHttp2();
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.post(1, "/a").data(1, false, "y");
            FrameClient server = origin2.accept();
            server.await(FrameClient.DATA);
            whilePaused(gateway, () -> client.bytes(frames(1, "x")), () -> readFrames(server, 1));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void chunksOfAnUpstreamBecomeOneWrite() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n");
            client.readUntil("y\r\n");
            whilePaused(gateway, () -> line.send(chunks("x")), () -> readPieces(() -> client.readBytes(1)));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }

    @Test
    void chunksOfAnUpstreamBecomeFewFrames() {
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/");
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n");
            client.await(FrameClient.DATA);
            whilePaused(gateway, () -> line.send(chunks("x")), () -> readFrames(client, 1));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }

    @Test
    void framesOfAnUpstreamBecomeOneChunk() {
        toHttp2();
        try (RawClient client = new RawClient(gateway.port())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            FrameClient server = origin2.accept();
            server.await(FrameClient.HEADERS);
            server.headers(1, false, OK).data(1, false, "y");
            client.readUntil("y\r\n");
            whilePaused(gateway, () -> server.bytes(frames(1, "x")), () -> readPieces(() -> client.readBytes(1)));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }

    @Test
    void framesOfAnUpstreamBecomeFewFrames() {
        toHttp2();
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/");
            FrameClient server = origin2.accept();
            server.await(FrameClient.HEADERS);
            server.headers(1, false, OK).data(1, false, "y");
            client.await(FrameClient.DATA);
            whilePaused(gateway, () -> server.bytes(frames(1, "x")), () -> readFrames(client, 1));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }

    @Test
    void framesOfTwoStreamsInTurnBecomeFewFrames() {
        toHttp2();
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.post(1, "/a").data(1, false, "y").post(3, "/a").data(3, false, "y");
            FrameClient server = origin2.accept();
            awaitData(server);
            whilePaused(gateway, () -> client.bytes(framesInTurn()), () -> readFramesInTurn(server));
            bounded(CountedSockets.client(), CountedSockets.upstream(), 2);
        }
    }

    @Test
    void framesOfTwoResponsesInTurnBecomeFewFrames() {
        toHttp2();
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/").get(3, "/");
            FrameClient server = origin2.accept();
            server.await(FrameClient.HEADERS);
            server.await(FrameClient.HEADERS);
            server.headers(1, false, OK)
                    .data(1, false, "y")
                    .headers(3, false, OK)
                    .data(3, false, "y");
            awaitData(client);
            whilePaused(gateway, () -> server.bytes(framesInTurn()), () -> readFramesInTurn(client));
            bounded(CountedSockets.upstream(), CountedSockets.client(), 2);
        }
    }

    private static void awaitData(FrameClient end) {
        while (end.soFar(1).length() == 0 || end.soFar(3).length() == 0) {
            assertThat(end.next()).isNotNull();
        }
    }

    @Test
    void interimHeadsOfAnUpstreamBecomeOneWrite() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            Line line = origin.accept();
            line.readHead();
            String hint = "HTTP/1.1 103 x\r\n\r\n";
            whilePaused(
                    gateway,
                    () -> line.send(hint.repeat(PIECES / 4) + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\ny"),
                    () -> client.readUntil("y"));
            Counts client1 = CountedSockets.client();
            assertThat(client1.flushes())
                    .as("%s", client1)
                    .isLessThanOrEqualTo(2 * CountedSockets.upstream().reads());
        }
    }

    private Line tunnelled(FrameClient client) {
        client.headers(1, false, ":method", "CONNECT", ":authority", origin.address());
        Line line = origin.accept();
        client.await(FrameClient.HEADERS);
        return line;
    }

    @Test
    void framesOfATunnelBecomeOneWrite() {
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            Line line = tunnelled(client);
            whilePaused(gateway, () -> client.bytes(frames(1, "x")), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void bytesOfADestinationBecomeFewFrames() {
        try (FrameClient client = FrameClient.connect(gateway.forwardPort())) {
            Line line = tunnelled(client);
            whilePaused(gateway, () -> singly(() -> line.send("x")), () -> readFrames(client, 1));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }

    @Test
    void bytesOfAnUpgradeBecomeOneWrite() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(UPGRADE);
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
            client.readUntil("\r\n\r\n");
            whilePaused(gateway, () -> singly(() -> client.send("x")), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void readsABoundedNumberOfBytesInARow() throws Exception {
        try (RawClient client = new RawClient(gateway.port())) {
            int length = 4 * 1024 * 1024;
            client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: " + (length + 1) + "\r\n\r\ny");
            Line line = origin.accept();
            line.readUntil("\r\n\r\ny");
            CountedSockets.client().reset();
            Thread sender = new Thread(() -> client.send("x".repeat(length)), "sender");
            CountDownLatch sending = new CountDownLatch(1);
            gateway.pauseUntil(sending);
            sender.start();
            sender.join(500);
            sending.countDown();
            assertThat(line.read(length)).hasSize(length);
            sender.join();
            assertThat(CountedSockets.client().most()).isBetween(READ / 2, READ);
        }
    }
}
