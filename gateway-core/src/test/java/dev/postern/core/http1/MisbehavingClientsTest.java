package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that stop, disconnect, pipeline or send slowly: the upstream never takes a partial request for a complete one, and the
 * gateway keeps nothing for them.
 */
@ExtendWith(LeakExtension.class)
class MisbehavingClientsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void abortsUpstreamAMalformedBody() {
        try (RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
            Line line = gateway.acceptRequest();
            assertThat(line.read(9)).isEqualTo("4\r\nhalf\r\n");
            client.send("nonsense\r\n");
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.closedByPeer()).isTrue();
            assertThat(line.closedByPeer()).isTrue();
        }
    }

    @Test
    void discardsTheSmallBodyOfARefusedRequest() {
        try (RawClient client = gateway.client()) {
            String body = "x".repeat(1000);
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(405);
            client.send(body + GET);
            gateway.acceptRequest().ok("next");
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @Test
    void closesAfterTheRefusalOfALargeBody() {
        try (RawClient client = gateway.client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nsome");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void sendsNoContinueForABodyThatIsNotForwarded() {
        try (RawClient client = gateway.client()) {
            client.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(405);
            // Whether the client sends the body now is unknown, so the connection cannot be reused.
            assertThat(refused.field("Connection")).isEqualTo("close");
        }
    }

    @Test
    void sendsNoContinueForABodyThatHasArrived() {
        try (RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody");
            Line line = gateway.acceptRequest();
            gateway.pass(Duration.ofSeconds(1)); // the upstream ignores the expectation
            assertThat(line.read(4)).isEqualTo("body");
            line.ok("done");
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 10\r\n\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
                "Transfer-Encoding: chunked\r\n\r\n9\r\nhalf",
                "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n",
            })
    void abortsUpstreamWhenTheClientAborts(String begun) {
        try (RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\n" + begun);
            Line line = gateway.acceptRequest();
            client.finish();
            assertThat(line.rest()).contains("half").doesNotContain("0\r\n\r\n");
        }
        assertThat(gateway.ended()).hasSize(1);
    }
}
