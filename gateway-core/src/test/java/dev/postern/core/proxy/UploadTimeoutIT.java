package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.http1.Http1Limits;
import dev.postern.core.route.Route;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests which peer a time-out of a request with a body is attributed to: the client while it sends, the upstream once it has the complete
 * body or reads nothing.
 */
@ExtendWith(LeakExtension.class)
class UploadTimeoutIT {

    /** Longer than a busy machine needs for the step that must complete within it. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Http1Limits BRIEF = new Http1Limits(16_384, 65_536, LONG, SHORT, LONG, 8);
    private static final int INITIAL_WINDOW = 4;
    private static final int FULL = 64 * 1024;
    private static final int PLENTY = 1 << 20;
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";

    private final RawOrigin origin = new RawOrigin();

    private Setup setup() {
        return Setup.of(origin.address());
    }

    @Test
    void mayTakeLongerThanTheUpstreamMayThink() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().firstByte(SHORT).idle(SHORT));
                RawClient slow = new RawClient(gateway.port());
                RawClient other = new RawClient(gateway.port())) {
            slow.send(POST + "4\r\n\r\nab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            upload.read(2);
            // A request that was sent later has timed out, so every earlier deadline has passed.
            assertThat(other.get("/").body()).contains("upstream-stalled");
            slow.send("cd");
            assertThat(upload.read(2)).isEqualTo("cd");
            upload.ok("done");
            assertThat(slow.read().body()).isEqualTo("done");
        }
    }

    @Test
    void mayTakeLongerThanTheUpstreamMayThinkOverHttp2() {
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(streams.address())
                        .toHttp2(null)
                        .firstByte(SHORT)
                        .idle(SHORT));
                RawClient slow = new RawClient(gateway.port());
                RawClient other = new RawClient(gateway.port())) {
            slow.send(POST + "4\r\n\r\nab");
            FrameClient server = streams.accept();
            server.await(HEADERS);
            assertThat(other.get("/").body()).contains("upstream-stalled");
            slow.send("cd");
            server.await(DATA);
            server.headers(1, false, ":status", "200").data(1, true, "done");
            assertThat(slow.read().body()).isEqualTo("done");
        }
    }

    @Test
    void mayPauseOnceItsResponseHasBegun() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().limits(BRIEF));
                RawClient client = new RawClient(gateway.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 4\r\n\r\nab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            upload.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf");
            client.readBytes(1);
            longerThanABodyMayPause(gateway);
            client.send("cd");
            assertThat(upload.read(4)).isEqualTo("abcd");
            upload.send("done");
            assertThat(client.rest()).endsWith("halfdone");
        }
    }

    @Test
    void mayPauseOnceItsResponseHasBegunOverHttp2() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().limits(BRIEF));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.post(1, "/", "content-length", "4").data(1, false, "ab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            upload.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf");
            client.await(DATA);
            longerThanABodyMayPause(gateway);
            client.data(1, true, "cd");
            assertThat(upload.read(4)).isEqualTo("abcd");
            upload.send("done");
            assertThat(client.response(1).body()).isEqualTo("halfdone");
        }
    }

    /** Two bodies are found too slow, one after the other: the deadline of every earlier pause has then passed. */
    private static void longerThanABodyMayPause(CoreGateway gateway) {
        for (int i = 0; i < 2; i++) {
            try (RawClient other = new RawClient(gateway.port())) {
                assertThat(other.send(POST + "4\r\n\r\nab").read().status()).isEqualTo(408);
            }
        }
    }

    @Test
    void theResponseIsDueOnceTheUpstreamHasTheBody() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().firstByte(SHORT).idle(LONG));
                RawClient client = new RawClient(gateway.port())) {
            Response response = client.send(POST + "2\r\n\r\nab").read();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("upstream-stalled");
        }
    }

    @Test
    void theResponseIsDueAlsoWhenTheEndWasReadLate() {
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(streams.address())
                        .toHttp2(null)
                        .firstByte(SHORT)
                        .idle(LONG));
                FrameClient client = FrameClient.connect(gateway.port())) {
            FrameClient server = sentWithoutWindow(client, streams, true);
            server.window(0, PLENTY).window(1, PLENTY);
            assertThat(client.response(1).body()).contains("upstream-stalled");
        }
    }

    @Test
    void mayPauseAfterTheUpstreamDid() {
        Duration both = Duration.ofSeconds(2);
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(streams.address())
                        .toHttp2(null)
                        .firstByte(both)
                        .idle(both));
                FrameClient client = FrameClient.connect(gateway.port());
                RawClient other = new RawClient(gateway.port())) {
            FrameClient server = sentWithoutWindow(client, streams, false);
            server.window(0, PLENTY).window(1, PLENTY);
            while (server.soFar(1).length() < FULL) {
                server.await(DATA);
            }
            assertThat(other.get("/").body()).contains("upstream-stalled");
            client.data(1, true, "end");
            server.await(DATA);
            server.headers(1, false, ":status", "200").data(1, true, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
    }

    /**
     * Sends the part of a body, or the complete body, that waits for the window of a server that opens none; returns once the gateway has
     * read it.
     */
    private static FrameClient sentWithoutWindow(FrameClient client, FrameOrigin streams, boolean all) {
        String quarter = "x".repeat(FULL / 4);
        client.post(1, "/");
        FrameClient server = streams.accept(INITIAL_WINDOW, 0);
        server.await(HEADERS);
        client.data(1, false, quarter).data(1, false, quarter);
        while (client.await(WINDOW_UPDATE).stream() != 1) {
            // the window of the connection
        }
        client.data(1, false, quarter).data(1, all, quarter).get(3, "/behind");
        server.await(HEADERS);
        return server;
    }

    @Test
    void isForwardedOrRefused() {
        CompletableFuture<Void> sending;
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().firstByte(LONG).idle(SHORT));
                RawClient client = new RawClient(gateway.port())) {
            client.send(POST + (1L << 40) + "\r\n\r\n");
            sending = CompletableFuture.runAsync(() -> pour(client));
            Response response = client.read();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("upstream-stalled");
        }
        await().until(sending::isDone);
    }

    @Test
    void aTooLongExchangeIsTheClientsFault() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().route(UploadTimeoutIT::within));
                RawClient client = new RawClient(gateway.port())) {
            Response response = client.send(POST + "4\r\n\r\nab").read();
            assertThat(response.status()).isEqualTo(408);
            assertThat(response.body()).contains("request-timeout");
        }
    }

    @Test
    void aTooLongExchangeIsTheUpstreamsFaultOnceItHasTheBody() {
        try (origin;
                CoreGateway gateway = new CoreGateway(setup().route(UploadTimeoutIT::within));
                RawClient client = new RawClient(gateway.port())) {
            Response response = client.send(POST + "2\r\n\r\nab").read();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("upstream-stalled");
        }
    }

    private static Route within(Route route) {
        return new Route(
                route.name(),
                route.host(),
                route.path(),
                route.upstream(),
                route.token(),
                route.rateLimit(),
                route.preflight(),
                SHORT,
                route.requestBody());
    }

    /** Sends until the gateway stops reading. */
    private static void pour(RawClient client) {
        String piece = "x".repeat(64 * 1024);
        try {
            while (true) {
                client.send(piece);
            }
        } catch (IllegalStateException e) {
            // the gateway, or the test, closed the connection
        }
    }
}
