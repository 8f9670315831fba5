package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.TestPool;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a server that floods, beside one that is busy; {@code Http2ConnectionPoolTest} has the limits on connections and streams. */
@ExtendWith(LeakExtension.class)
class UpstreamLimitsTest {

    private static final String[] OK = {":status", "200"};

    /** The other server is busy meanwhile, and measures the connection with PINGs as many as its DATA. */
    @Test
    void keepsAServerBesideOneThatFloodsPings() {
        UpstreamSettings.Pool two = TestPool.of(2, 1024, 1);
        try (MemoryGateway gateway =
                        new MemoryGateway(MemoryGateway.setup().toHttp2(null).pool(two));
                FrameClient client = gateway.client2();
                FrameClient other = gateway.client2()) {
            client.get(1, "/1");
            FrameClient flooding = gateway.accept2();
            flooding.await(HEADERS);
            other.get(1, "/1");
            FrameClient honest = gateway.accept2();
            honest.await(HEADERS);
            honest.headers(1, false, OK);
            for (int i = 0; i < 20; i++) {
                flooding.bytes(pings(300));
                honest.data(1, false, "x".repeat(100)).frame(PING, 0, 0, new byte[8]);
            }
            assertThat(client.response(1).body()).contains("upstream-malformed");
            assertThat(flooding.closedByPeer()).isTrue();
            honest.data(1, true, "end");
            assertThat(other.response(1).body()).isEqualTo("x".repeat(2_000) + "end");
            other.get(3, "/3");
            honest.await(HEADERS);
            honest.headers(3, false, OK).data(3, true, "next");
            assertThat(other.response(3).body()).isEqualTo("next");
            assertThat(honest.outcome(0)).isEqualTo("ALIVE");
        }
    }

    private static byte[] pings(int count) {
        byte[] ping = FrameClient.raw(PING, 0, 0, new byte[8]);
        ByteBuffer all = ByteBuffer.allocate(count * ping.length);
        for (int i = 0; i < count; i++) {
            all.put(ping);
        }
        return all.array();
    }
}
