package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.raw;
import static dev.postern.core.testing.FrameClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that requests that are cancelled before they have an upstream connection release what they waited for. */
@ExtendWith(LeakExtension.class)
class CancelledRequestsTest {

    private static final int CANCEL = 8;
    private static final int MANY = 90;

    private static UpstreamSettings.Pool pool(int connections, int pending, int streams) {
        return TestPool.with(Map.of(
                "maxConnections", connections, "maxPending", pending, "maxStreams", streams, "learnIdle", false));
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
        try (MemoryGateway gateway = new MemoryGateway();
                FrameClient client = gateway.client2()) {
            MemoryOrigin origin = gateway.origin();
            client.bytes(all.toByteArray());
            assertThat(client.get(2 * MANY + 1, "/").response(2 * MANY + 1).body())
                    .isEqualTo("hello");
            assertThat(origin.connections()).isLessThan(MANY / 10);
        }
    }

    @Test
    void leavesTheQueue() {
        try (MemoryGateway gateway = new MemoryGateway(MemoryGateway.setup().pool(pool(1, 2, 1)));
                FrameClient client = gateway.client2()) {
            client.get(1, "/1");
            try (RawOrigin.Line line = gateway.accept()) {
                line.readHead();
                client.get(3, "/3").get(5, "/5").reset(3).reset(5);
                assertThat(gateway.ended()).hasSize(2);
                client.get(7, "/7").get(9, "/9");
                assertThat(gateway.gauge("postern.upstream.connections", "state", "pending"))
                        .isEqualTo(2);
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
        try (MemoryGateway gateway =
                        new MemoryGateway(MemoryGateway.setup().toHttp2(null).pool(pool(2, 10, 2)));
                FrameClient client = gateway.client2()) {
            byte[] get = FieldBlock.of(request("GET", "/"));
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int id = 1; id < 9; id += 2) {
                all.writeBytes(
                        both(raw(HEADERS, END_HEADERS | END_STREAM, id, get), raw(RST_STREAM, 0, id, numbers(CANCEL))));
            }
            client.bytes(all.toByteArray()).get(9, "/9");
            FrameClient server = gateway.accept2();
            assertThat(server.await(HEADERS).stream()).isEqualTo(1);
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(1);
        }
    }
}
