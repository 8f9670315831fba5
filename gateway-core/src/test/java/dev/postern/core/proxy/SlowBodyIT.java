package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that clients that send a body too slowly are refused, and that their upstream connection is released. */
@ExtendWith(LeakExtension.class)
class SlowBodyIT {

    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ";

    private static final MinBodyRate RATE = new MinBodyRate(1_000_000, Duration.ofSeconds(1));

    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway =
            new CoreGateway(Setup.of(origin.address()).route(route -> route.with(RATE)));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private void assertRefused(Response response) {
        assertThat(response.status()).isEqualTo(408);
        assertThat(response.body()).contains("request-timeout");
    }

    @Test
    void isRefusedOverHttp1() {
        try (RawClient client = new RawClient(gateway.port())) {
            client.send(POST + "4\r\n\r\nab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            assertThat(upload.read(2)).isEqualTo("ab");

            assertRefused(client.read());

            assertThat(upload.closedByPeer())
                    .as("the connection to the upstream is released")
                    .isTrue();
            await().until(() -> gateway.ended().size() == 1);
            Exchange ended = gateway.ended().get(0);
            assertThat(ended.outcome().reason()).isEqualTo("body-rate");
        }
    }

    @Test
    void isRefusedOverHttp2() {
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.post(1, "/", "content-length", "4").data(1, false, "ab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            assertThat(upload.read(2)).isEqualTo("ab");

            assertThat(client.response(1).status()).isEqualTo("408");

            assertThat(upload.closedByPeer()).isTrue();
        }
    }

    @Test
    void mayHaveAnyRateAfterItsResponseBegan() {
        try (RawClient client = new RawClient(gateway.port());
                RawClient slow = new RawClient(gateway.port())) {
            client.send(POST + "4\r\n\r\nab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            upload.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf");
            client.readHead();
            assertRefused(slow.send(POST + "4\r\n\r\nab").read()); // began later, and has ended

            client.send("cd");
            assertThat(upload.read(4)).isEqualTo("abcd");
            upload.send("done");
            assertThat(client.readBytes(8)).isEqualTo("halfdone");
        }
    }

    @Test
    void grpcMayHaveAnyRate() {
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway multiplexed = new CoreGateway(
                        Setup.of(streams.address()).toHttp2(null).route(route -> route.with(RATE)));
                FrameClient client = FrameClient.connect(multiplexed.port());
                FrameClient slow = FrameClient.connect(multiplexed.port())) {
            client.post(1, "/", "content-type", "application/grpc+proto").data(1, false, "ab");
            FrameClient server = streams.accept();
            server.await(DATA);
            slow.post(1, "/").data(1, false, "ab");
            assertThat(slow.response(1).status()).isEqualTo("408"); // began later, and has ended

            client.data(1, true, "cd");
            server.headers(1, false, ":status", "200").data(1, true, "done");

            assertThat(client.response(1).body()).isEqualTo("done");
        }
    }

    @Test
    void theContentTypeOfGrpcAloneIsNoExemption() {
        String type = "application/grpc";
        try (RawClient client = new RawClient(gateway.port());
                FrameClient streams = FrameClient.connect(gateway.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Type: " + type + "\r\nContent-Length: 4\r\n\r\nab");
            assertRefused(client.read());
            streams.post(1, "/", "content-type", type).data(1, false, "ab");
            assertThat(streams.response(1).field("grpc-status"))
                    .as("of a refusal")
                    .isNotEmpty();
        }
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway multiplexed = new CoreGateway(
                        Setup.of(streams.address()).toHttp2(null).route(route -> route.with(RATE)));
                RawClient client = new RawClient(multiplexed.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Type: " + type + "\r\nContent-Length: 4\r\n\r\nab");
            streams.accept();
            assertRefused(client.read());
        }
    }

    @Test
    void isRefusedOnForwardListeners() {
        try (RawClient client = new RawClient(gateway.forwardPort())) {
            client.send("POST http://" + origin.address() + "/ HTTP/1.1\r\nHost: " + origin.address()
                    + "\r\nContent-Length: 4\r\n\r\nab");
            RawOrigin.Line upload = origin.accept();
            upload.readHead();
            assertThat(upload.read(2)).isEqualTo("ab");

            assertRefused(client.read());

            assertThat(upload.closedByPeer()).isTrue();
        }
    }

    @Test
    void isNotRefusedWhenTheUpstreamReadsNothing() {
        String quarter = "x".repeat(16 * 1024);
        try (FrameOrigin streams = new FrameOrigin();
                CoreGateway slowly = new CoreGateway(
                        Setup.of(streams.address()).toHttp2(null).route(route -> route.with(RATE)));
                FrameClient client = FrameClient.connect(slowly.port());
                FrameClient other = FrameClient.connect(slowly.port())) {
            client.post(1, "/");
            FrameClient server = streams.accept(4, 0);
            server.await(HEADERS);
            client.data(1, false, quarter).data(1, false, quarter);
            while (client.await(WINDOW_UPDATE).stream() != 1) {
                // the window of the connection
            }
            client.data(1, false, quarter)
                    .data(1, false, quarter); // the maximum that is buffered for a server without a window
            for (int stream = 1; stream < 6; stream += 2) { // each begins later, and has ended
                other.post(stream, "/").data(stream, false, "ab");
                assertThat(other.response(stream).status()).isEqualTo("408");
            }
            server.window(0, 1 << 20).window(1, 1 << 20);
            client.data(1, true, "");
            while (server.soFar(1).length() < 4 * quarter.length()) {
                server.await(DATA);
            }
            server.headers(1, false, ":status", "200").data(1, true, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
    }
}
