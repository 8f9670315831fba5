package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that expect 100 (Continue) before they send a body: the upstream decides, and neither connection is used again while it is in
 * doubt whether the body comes.
 */
@ExtendWith(LeakExtension.class)
class ExpectTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryGateway gateway2 =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
        gateway2.close();
    }

    private static final String POST =
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    @ParameterizedTest
    @ValueSource(strings = {"307 Temporary Redirect", "401 Unauthorized", "417 Expectation Failed", "200 OK"})
    void theUpstreamRespondsWithoutTheBody(String status) {
        try (RawClient client = gateway.client()) {
            client.send(POST);
            Line line = gateway.accept();
            line.readHead();
            line.send("HTTP/1.1 " + status + "\r\nLocation: /b\r\nContent-Length: 2\r\n\r\nno");
            Response response = client.read();
            assertThat(response.head()).startsWith("HTTP/1.1 " + status.substring(0, 3));
            assertThat(response.body()).isEqualTo("no");
            assertThat(response.field("Connection")).isEqualTo("close");
            assertThat(line.closedByPeer()).as("no other request follows there").isTrue();
        }
    }

    @Test
    void aBodyThatDoesNotWaitIsNoRequest() {
        try (RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 64\r\nExpect: 100-continue\r\n\r\n" + GET);
            Line line = gateway.accept();
            line.readHead();
            line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.closedByPeer()).isTrue();
            assertThat(line.rest()).as("nothing of the body, and no request").isEmpty();
        }
        assertThat(gateway.ended()).hasSize(1);
    }

    @Test
    void aLateContinueBehindTheResponseReachesNobody() {
        try (RawClient client = gateway.client()) {
            client.send(POST);
            Line line = gateway.accept();
            line.readHead();
            line.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno" + CONTINUE);
            assertThat(client.read().status()).isEqualTo(413);
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void nothingIsSentAgainBehindTheFirstByteOfABody() {
        try (RawClient client = gateway.client()) {
            client.send(GET);
            Line line = gateway.accept();
            line.readHead();
            line.ok("kept");
            client.read();
            client.send(POST);
            line.readHead();
            line.send(CONTINUE);
            assertThat(client.read().status()).isEqualTo(100);
            client.send("bo");
            line.read(2);
            line.close();
            assertThat(client.read().body()).contains("\"code\":\"upstream-closed\"");
            client.send("dy" + GET); // the rest is discarded
            Line next = gateway.accept();
            assertThat(next.readHead()).startsWith("GET / ");
            next.ok("next");
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    // ---- HTTP/2

    @Test
    void aServerOfHttp2AsksAClientOfHttp2() {
        try (FrameClient client = gateway2.client2()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "4");
            FrameClient server = gateway2.accept2();
            server.await(HEADERS);
            assertThat(server.soFar(1).field("expect")).isEqualTo("100-continue");
            server.headers(1, false, ":status", "100");
            client.await(HEADERS);
            assertThat(client.soFar(1).interim()).isEqualTo("100");
            client.data(1, true, "body");
            server.await(DATA);
            server.headers(1, false, ":status", "200").data(1, true, "done");
            assertThat(client.response(1).body()).isEqualTo("done");
            assertThat(client.soFar(1).interim()).isEqualTo("100");
        }
    }

    @Test
    void aServerOfHttp2RespondsWithoutTheBody() {
        try (FrameClient client = gateway2.client2();
                RawClient other = gateway2.client()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "4");
            FrameClient server = gateway2.accept2();
            server.await(HEADERS);
            server.headers(1, true, ":status", "401");
            client.await(HEADERS);
            assertThat(client.soFar(1).status()).isEqualTo("401");
            assertThat(client.soFar(1).interim()).isEmpty();
            assertThat(server.await(FrameClient.RST_STREAM).error()).isEqualTo("CANCEL");
            other.send(POST);
            server.await(HEADERS);
            server.headers(3, true, ":status", "307", "location", "/b");
            assertThat(other.read().status()).isEqualTo(307);
            assertThat(other.closedByPeer()).isTrue();
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void aRefusedStreamIsSentAgainWithTheField() {
        try (RawClient client = gateway2.client()) {
            client.send(POST);
            FrameClient server = gateway2.accept2();
            server.await(HEADERS);
            server.frame(FrameClient.RST_STREAM, 0, 1, FrameClient.numbers(7));
            server.await(HEADERS);
            assertThat(server.soFar(3).field("expect")).isEqualTo("100-continue");
            server.headers(3, false, ":status", "100");
            assertThat(client.read().status()).isEqualTo(100);
            client.send("body");
            server.await(DATA);
            server.headers(3, false, ":status", "200").data(3, true, "done");
            assertThat(client.read().body()).isEqualTo("done");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                POST,
                "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: h\r\nExpect:100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
            })
    void theUpstreamAsksForTheBody(String request) {
        boolean chunked = request.contains("chunked");
        try (RawClient client = gateway.client()) {
            client.send(request);
            Line line = gateway.accept();
            assertThat(line.readHead().toLowerCase(Locale.ROOT))
                    .containsOnlyOnce("expect")
                    .contains("\r\nexpect: 100-continue\r\n");
            line.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(103);
            line.send(CONTINUE);
            assertThat(client.read().status()).isEqualTo(100);
            client.send(chunked ? "4\r\nbody\r\n0\r\n\r\n" : "body");
            assertThat(line.readUntil(chunked ? "0\r\n\r\n" : "body")).contains("body");
            line.ok("done");
            assertThat(client.read().body()).isEqualTo("done");
            client.send(GET);
            assertThat(line.readHead().toLowerCase(Locale.ROOT)).doesNotContain("expect");
            line.ok("same connections");
            assertThat(client.read().body()).isEqualTo("same connections");
        }
    }

    @Test
    void theDestinationOfAForwardProxyDecides() {
        try (RawClient client = gateway.forwardClient()) {
            client.send(POST.replace(" / ", " http://127.0.0.1:8080/ ").replace("Host: h", "Host: 127.0.0.1:8080"));
            Line line = gateway.accept();
            assertThat(line.readHead().toLowerCase(Locale.ROOT)).contains("\r\nexpect: 100-continue\r\n");
            line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
        }
    }
}
