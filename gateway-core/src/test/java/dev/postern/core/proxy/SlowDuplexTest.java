package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.route.MinBodyRate;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exchanges whose request and response go on side by side: bytes of either keep both alive, however slow they are. */
@ExtendWith(LeakExtension.class)
class SlowDuplexTest {

    private static final Duration IDLE = Duration.ofSeconds(4);
    private static final Duration OFTEN = Duration.ofSeconds(3);
    private static final int TIMES = 5;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static Setup setup() {
        return MemoryGateway.setup().idle(IDLE).route(route -> TestRoute.with(route, new MinBodyRate(1_000_000, IDLE)));
    }

    private static String post(String type) {
        return "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: " + type + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/connect+proto", "application/x-ndjson", "text/event-stream"})
    void bytesOfTheRequestKeepAStreamAlive(String type) {
        try (MemoryGateway gateway = new MemoryGateway(setup());
                RawClient client = gateway.client()) {
            client.send(post(type));
            Line line = gateway.acceptRequest().send(HEAD);
            client.readHead();
            for (int i = 0; i < TIMES; i++) {
                gateway.pass(OFTEN);
                client.send("1\r\nx\r\n");
            }
            client.send("0\r\n\r\n");
            line.send("4\r\ndone\r\n0\r\n\r\n");
            assertThat(client.readUntil("0\r\n\r\n")).contains("done");
        }
    }

    @Test
    void bytesOfTheRequestKeepAStreamOverHttp2Alive() {
        try (MemoryGateway gateway = new MemoryGateway(setup().toHttp2(null));
                FrameClient client = gateway.client2()) {
            client.post(1, "/", "content-type", "application/connect+proto");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            server.headers(1, false, ":status", "200");
            client.await(HEADERS);
            for (int i = 0; i < TIMES; i++) {
                gateway.pass(OFTEN);
                client.data(1, false, "x");
                server.await(DATA);
            }
            client.data(1, true, "end");
            server.await(DATA);
            server.data(1, true, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
    }

    @Test
    void bytesOfTheResponseKeepAStreamAlive() {
        try (MemoryGateway gateway = new MemoryGateway(setup());
                RawClient client = gateway.client()) {
            client.send(post("text/plain"));
            Line line = gateway.acceptRequest().send(HEAD);
            client.readHead();
            for (int i = 0; i < TIMES; i++) {
                gateway.pass(OFTEN);
                line.send("1\r\nx\r\n");
            }
            client.send("0\r\n\r\n");
            line.send("4\r\ndone\r\n0\r\n\r\n");
            assertThat(client.readUntil("0\r\n\r\n")).contains("done");
        }
    }

    @Test
    void silenceOnBothSidesEndsAStream() {
        try (MemoryGateway gateway = new MemoryGateway(setup());
                RawClient client = gateway.client()) {
            client.send(post("text/plain"));
            Line line = gateway.acceptRequest().send(HEAD);
            client.readHead();
            gateway.pass(IDLE.minusNanos(1));
            assertThat(gateway.ended()).isEmpty();

            gateway.pass(Duration.ofNanos(1));
            assertThat(gateway.ended()).hasSize(1);
            assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
            assertThat(client.closedByPeer()).isTrue();
            assertThat(line.closedByPeer()).isTrue();
        }
    }
}
