package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.raw;
import static dev.postern.core.testing.FrameClient.request;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameOrigin;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that requests that are cancelled before they have an upstream connection release what they waited for. */
@ExtendWith(LeakExtension.class)
class CancelledRequestsIT {

    private static final int CANCEL = 8;
    private static final int MANY = 90;

    private static UpstreamSettings.Pool pool(int connections, int pending, int streams) {
        return new UpstreamSettings.Pool(
                true, connections, pending, Duration.ofSeconds(55), false, Duration.ZERO, 0, streams);
    }

    private static byte[] both(byte[] one, byte[] other) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(one);
        joined.writeBytes(other);
        return joined.toByteArray();
    }

    @Test
    void opensNoConnectionForEachCancelledRequest() {
        byte[] get = FieldBlock.of(request("GET", "/"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int id = 1; id < 2 * MANY; id += 2) {
            all.writeBytes(
                    both(raw(HEADERS, END_HEADERS | END_STREAM, id, get), raw(RST_STREAM, 0, id, numbers(CANCEL))));
        }
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.bytes(all.toByteArray());
            assertThat(client.get(2 * MANY + 1, "/").response(2 * MANY + 1).body())
                    .isEqualTo("hello");
            assertThat(origin.connections()).isLessThan(MANY / 10);
        }
    }

    @Test
    void leavesTheQueue() {
        try (RawOrigin origin = new RawOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).pool(pool(1, 2, 1)));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/1");
            try (RawOrigin.Line line = origin.accept()) {
                line.readHead();
                client.get(3, "/3").get(5, "/5").reset(3).reset(5);
                await().until(() -> gateway.ended().size() == 2);
                client.get(7, "/7").get(9, "/9");
                await().until(() -> gateway.gauge("postern.upstream.connections", "state", "pending") == 2);
                line.ok("one");
                assertThat(client.response(1).body()).isEqualTo("one");
                assertThat(line.readHead()).startsWith("GET /7 ");
                line.ok("seven");
                assertThat(line.readHead()).startsWith("GET /9 ");
                line.ok("nine");
                assertThat(client.response(9).body()).isEqualTo("nine");
            }
        }
    }

    @Test
    void releasesItsStream() {
        try (FrameOrigin origin = new FrameOrigin();
                CoreGateway gateway =
                        new CoreGateway(Setup.of(origin.address()).toHttp2(null).pool(pool(2, 10, 2)));
                FrameClient client = FrameClient.connect(gateway.port())) {
            byte[] get = FieldBlock.of(request("GET", "/"));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int id = 1; id < 9; id += 2) {
                all.writeBytes(
                        both(raw(HEADERS, END_HEADERS | END_STREAM, id, get), raw(RST_STREAM, 0, id, numbers(CANCEL))));
            }
            client.bytes(all.toByteArray()).get(9, "/9");
            FrameClient server = origin.accept();
            assertThat(server.await(HEADERS).stream()).isEqualTo(1);
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(1);
        }
    }

    private static final Http2Limits TWO_RESETS = new Http2Limits(
            128,
            ByteSize.of("64KiB"),
            ByteSize.of("4MiB"),
            ByteSize.of("4KiB"),
            8,
            Duration.ofSeconds(30),
            Rate.of("2/h"),
            Rate.of("200/m"),
            Rate.of("600/m"));

    @Test
    void watchesThatEndAreNoAbuse() {
        try (FrameOrigin origin = new FrameOrigin();
                CoreGateway gateway =
                        new CoreGateway(Setup.of(origin.address()).toHttp2(null).http2(TWO_RESETS));
                FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/");
            FrameClient server = origin.accept();
            for (int id = 1; id < 101; id += 2) {
                server.await(HEADERS);
                server.headers(id, false, ":status", "200");
                client.await(HEADERS);
                client.get(id + 2, "/");
            }
            await().pollDelay(Duration.ofMillis(1100)).until(() -> true);
            for (int id = 1; id < 101; id += 2) {
                client.reset(id);
            }
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
            assertThat(gateway.budgets()).isEmpty();
        }
    }

    /** Each cancelled stream closes a connection of HTTP/1.1, which counts, however old the stream is. */
    @Test
    void countsCancellationsThatCloseConnections() {
        try (TestOrigin origin = new TestOrigin();
                CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).http2(TWO_RESETS));
                FrameClient client = FrameClient.connect(gateway.port())) {
            origin.behave((request, socket) -> {
                OutputStream out = socket.getOutputStream();
                out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(US_ASCII));
                out.flush();
            });
            for (int id = 1; id < 7; id += 2) {
                client.get(id, "/").await(HEADERS);
            }
            await().pollDelay(Duration.ofMillis(1100)).until(() -> true);
            client.reset(1).reset(3).reset(5);
            assertThat(client.await(GOAWAY).debug()).isEqualTo("resets");
        }
    }
}
