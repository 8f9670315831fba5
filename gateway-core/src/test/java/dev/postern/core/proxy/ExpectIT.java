package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.upstream.endpoint.UpstreamSettings.Expect;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests clients that expect 100 (Continue) before they send a body: the upstream decides, and neither connection is used again while it is in
 * doubt whether the body comes.
 */
class ExpectIT extends GatewayBeforeOrigins {

    private static final String POST =
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
    private static final String FIELD = "\r\nexpect: 100-continue\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private static String lower(String head) {
        return head.toLowerCase(Locale.ROOT);
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
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(request);
            Line line = origin.accept();
            assertThat(lower(line.readHead())).containsOnlyOnce("expect").contains(FIELD);
            line.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(103);
            line.send(CONTINUE);
            assertThat(client.read().status()).isEqualTo(100);
            client.send(chunked ? "4\r\nbody\r\n0\r\n\r\n" : "body");
            assertThat(line.readUntil(chunked ? "0\r\n\r\n" : "body")).contains("body");
            line.ok("done");
            assertThat(client.read().body()).isEqualTo("done");
            client.send(GET);
            assertThat(lower(line.readHead())).doesNotContain("expect");
            line.ok("same connections");
            assertThat(client.read().body()).isEqualTo("same connections");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"307 Temporary Redirect", "401 Unauthorized", "417 Expectation Failed", "200 OK"})
    void theUpstreamRespondsWithoutTheBody(String status) {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST);
            Line line = origin.accept();
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
        try (RawClient client = new RawClient(gateway().port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 64\r\nExpect: 100-continue\r\n\r\n" + GET);
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
            assertThat(client.closedByPeer()).isTrue();
            assertThat(line.rest()).as("nothing of the body, and no request").isEmpty();
        }
        assertThat(gateway().ended()).hasSize(1);
    }

    @Test
    void anUpstreamThatIgnoresTheFieldGetsTheBody() {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST);
            Line line = origin.accept();
            line.readHead();
            assertThat(client.read().status()).as("after a pause").isEqualTo(100);
            client.send("bo");
            assertThat(line.read(2)).isEqualTo("bo");
            line.send(CONTINUE); // late
            client.send("dy");
            assertThat(line.read(2)).isEqualTo("dy");
            line.send(CONTINUE).ok("done");
            assertThat(client.read().body()).as("no second 100").isEqualTo("done");
        }
    }

    @Test
    void aLateContinueBehindTheResponseReachesNobody() {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(POST);
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno" + CONTINUE);
            assertThat(client.read().status()).isEqualTo(413);
            assertThat(line.closedByPeer()).isTrue();
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void nothingIsSentAgainBehindTheFirstByteOfABody() {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(GET);
            Line line = origin.accept();
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
            Line next = origin.accept();
            assertThat(next.readHead()).startsWith("GET / ");
            next.ok("next");
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
                "POST / HTTP/1.0\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nbody",
            })
    void nothingIsExpectedWithoutABodyThatWaits(String request) {
        try (RawClient client = new RawClient(gateway().port())) {
            client.send(request);
            Line line = origin.accept();
            assertThat(lower(line.readHead())).doesNotContain("expect");
            line.ok("done");
            assertThat(client.read().body()).isEqualTo("done");
        }
    }

    @Test
    void theGatewayAsksForTheBodyWhereItDecides() {
        try (CoreGateway answering = new CoreGateway(Setup.of(origin.address()).expect(Expect.ANSWER));
                RawClient client = new RawClient(answering.port())) {
            client.send(POST);
            Line line = origin.accept();
            assertThat(lower(line.readHead())).doesNotContain("expect");
            assertThat(client.read().status()).isEqualTo(100);
            client.send("body");
            assertThat(line.read(4)).isEqualTo("body");
            line.ok("done");
            assertThat(client.read().body()).isEqualTo("done");
        }
    }

    @Test
    void theDestinationOfAForwardProxyDecides() {
        try (RawClient client = new RawClient(gateway().forwardPort())) {
            client.send(POST.replace(" / ", " http://" + origin.address() + "/ ")
                    .replace("Host: h", "Host: " + origin.address()));
            Line line = origin.accept();
            assertThat(lower(line.readHead())).contains(FIELD);
            line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(401);
        }
    }

    // ---- HTTP/2

    @Test
    void aServerOfHttp2AsksAClientOfHttp2() {
        try (FrameClient client = FrameClient.connect(gateway2().port())) {
            client.post(1, "/", "expect", "100-continue", "content-length", "4");
            FrameClient server = origin2.accept();
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
        try (FrameClient client = FrameClient.connect(gateway2().port());
                RawClient other = new RawClient(gateway2().port())) {
            client.post(1, "/", "expect", "100-continue", "content-length", "4");
            FrameClient server = origin2.accept();
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
        try (RawClient client = new RawClient(gateway2().port())) {
            client.send(POST);
            FrameClient server = origin2.accept();
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
}
