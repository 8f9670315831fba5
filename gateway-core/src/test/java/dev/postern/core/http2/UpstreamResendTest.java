package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests which requests are sent again because the server indicated that it had not processed them, and which are not. */
@ExtendWith(LeakExtension.class)
class UpstreamResendTest {

    private static final String[] OK = {":status", "200"};

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
    }

    private FrameClient client(int... settings) {
        return gateway.client2(settings);
    }

    private static void ok(FrameClient server, int stream, String body) {
        server.headers(stream, false, OK).data(stream, true, body);
    }

    @Test
    void resendsStreamsAfterTheLastStreamOfAGoaway() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/1", "content-length", "0"));
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            client.headers(3, true, FrameClient.request("POST", "/3", "content-length", "0"));
            server.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(1, 0));
            FrameClient next = gateway.accept2();
            next.await(HEADERS);
            assertThat(next.soFar(1).field(":path")).isEqualTo("/3");
            ok(next, 1, "elsewhere");
            ok(server, 1, "here");
            assertThat(client.response(1).body()).isEqualTo("here");
            assertThat(client.response(3).body()).isEqualTo("elsewhere");
            assertThat(server.closedByPeer())
                    .as("once its last exchange has ended")
                    .isTrue();
            client.get(5, "/5");
            next.await(HEADERS);
            ok(next, 3, "five");
            assertThat(client.response(5).body()).isEqualTo("five");
        }
    }

    @Test
    void losesNoRequestWithTwoGoaways() {
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(Integer.MAX_VALUE, 0));
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            client.get(3, "/3");
            FrameClient next = gateway.accept2();
            next.await(HEADERS);
            server.frame(GOAWAY, 0, 0, numbers(1, 0));
            ok(server, 1, "one");
            ok(next, 1, "three");
            assertThat(client.response(1).body()).isEqualTo("one");
            assertThat(client.response(3).body()).isEqualTo("three");
        }
    }

    @Test
    void doesNotResendAnUnsafeRequestThatMayHaveBeenProcessed() {
        try (FrameClient client = client()) {
            client.get(1, "/1");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            ok(server, 1, "one");
            client.response(1);
            client.headers(3, true, FrameClient.request("POST", "/3", "content-length", "0"));
            server.await(HEADERS);
            client.get(5, "/5");
            server.await(HEADERS);
            server.close(); // without GOAWAY
            FrameClient next = gateway.accept2();
            next.await(HEADERS);
            assertThat(next.soFar(1).field(":path")).isEqualTo("/5");
            ok(next, 1, "five");
            assertThat(client.response(5).body())
                    .as("safe, and over a stale connection")
                    .isEqualTo("five");
            assertThat(client.response(3).body()).contains("upstream-closed");
        }
    }

    @Test
    void resendsRefusedRequestsOfAnyMethod() {
        try (FrameClient client = client()) {
            client.headers(1, true, FrameClient.request("POST", "/", "content-length", "0"));
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            server.frame(RST_STREAM, 0, 1, numbers(7));
            server.await(HEADERS);
            assertThat(server.soFar(3).field(":method")).isEqualTo("POST");
            ok(server, 3, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
        }
        assertThat(gateway.ended()).isNotEmpty();
        assertThat(gateway.ended().get(0).outcome().tries()).isEqualTo(2);
    }
}
