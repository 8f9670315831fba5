package dev.postern.core.http2;

import static dev.postern.core.testing.TestResponse.head;
import static dev.postern.core.testing.TestResponse.ok;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.testing.BodyEvents;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ServerChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the exchanges that the frames of a client become, their bodies, and the windows of those. */
@ExtendWith(LeakExtension.class)
class ServerRequestTest {

    private static final int PIECE = 16_000;

    private final ServerChannel server = new ServerChannel();
    private final FrameClient client = server.client();
    private final BodyEvents body = new BodyEvents();

    @AfterEach
    void close() {
        server.close();
    }

    // ---- heads

    @Test
    void mapsAHeadToTheFormOfHttp1() {
        Exchange exchange =
                server.greet().get(1, "cookie", "a=1", "x-a", "b", "cookie", "b=2", "cookie", "c=3", "te", "trailers");
        RequestHead head = exchange.request();
        assertThat(head.method()).isEqualTo(Method.GET);
        assertThat(head.majorVersion()).isEqualTo(2);
        assertThat(head.authority()).isEqualTo("site.example");
        assertThat(head.value(FieldName.HOST)).isEqualTo("site.example");
        assertThat(head.value(FieldName.COOKIE)).isEqualTo("a=1; b=2; c=3");
        assertThat(head.occurrences(FieldName.COOKIE)).isEqualTo(1);
        assertThat(head.takesTrailers()).isTrue();
        assertThat(exchange.body()).isSameAs(RequestBody.EMPTY);
        assertThat(exchange.fault()).isNull();
    }

    @Test
    void addsALengthOfZeroForAnEmptyBodyOfPost() {
        server.greet();
        client.headers(1, true, FrameClient.request("POST", "/"));
        assertThat(server.exchange().request().value(FieldName.CONTENT_LENGTH)).isEqualTo("0");
        client.headers(3, true, FrameClient.request("DELETE", "/"));
        assertThat(server.exchange().request().has(FieldName.CONTENT_LENGTH)).isFalse();
    }

    @Test
    void readsTheLengthOfABody() {
        server.greet();
        assertThat(server.post(1).request().bodyLength()).isEqualTo(RequestHead.CHUNKED);
        assertThat(server.post(3, "content-length", "5").request().bodyLength()).isEqualTo(5);
        assertThat(server.post(5, "content-length", "0").request().hasBody()).isFalse();
    }

    @Test
    void servesTheAsteriskOfOptions() {
        server.greet();
        client.headers(1, true, FrameClient.request("OPTIONS", "*"));
        Exchange exchange = server.exchange();
        assertThat(exchange.fault()).isNull();
        assertThat(exchange.request().path()).isEqualTo("*");
    }

    @Test
    void aFaultyRequestHasNoBodyToRead() {
        server.greet();
        client.headers(1, false, FrameClient.request("POST", "/%zz"));
        Exchange exchange = server.exchange();
        assertThat(exchange.fault()).isEqualTo(Refusal.REQUEST_MALFORMED);
        assertThat(exchange.body()).isSameAs(RequestBody.EMPTY);
    }

    /** A head that its stages may still read is not the head of another request. */
    @Test
    void reusesTheHeadsOfForwardedExchangesOnly() {
        Exchange refused = server.greet().get(1);
        ok(refused, "local");
        server.sent();
        Exchange forwarded = server.get(3);
        assertThat(forwarded.request()).isNotSameAs(refused.request());
        forwarded.outcome().markForwarded();
        ok(forwarded, "theirs");
        server.sent();
        assertThat(server.get(5).request()).isSameAs(forwarded.request());
    }

    // ---- bodies

    @Test
    void passesOnDataAsItArrives() {
        Exchange exchange = server.greet().post(1);
        client.data(1, false, "a");
        exchange.body().read(body);
        assertThat(body.take()).containsExactly("a", "read");
        client.data(1, false, "b").data(1, true, "c");
        assertThat(body.take()).containsExactly("b", "read", "c", "end", "read");
    }

    /** The small frames of one read are one piece. */
    @Test
    void joinsTheFramesOfARead() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.bytes(frames("ab", "cd", "ef"));
        assertThat(body.take()).containsExactly("abcdef", "read");
    }

    private static byte[] frames(String... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String piece : pieces) {
            all.writeBytes(FrameClient.raw(FrameClient.DATA, 0, 1, piece.getBytes(US_ASCII)));
        }
        return all.toByteArray();
    }

    @Test
    void passesTrailersOn() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.data(1, false, "ab").headers(1, true, "x-sum", "7");
        assertThat(body.take()).containsExactly("ab", "read", "x-sum: 7", "end");
    }

    @Test
    void refusesABodyOfAnotherLength() {
        Exchange exchange = server.greet().post(1, "content-length", "3");
        exchange.body().read(body);
        client.data(1, true, "ab");

        assertThat(client.outcome(1)).isEqualTo("400 RST PROTOCOL_ERROR");
        assertThat(exchange.outcome().reason()).isEqualTo("Content-Length");
        assertThat(body.take()).containsExactly("broken");
    }

    @Test
    void aResetBreaksTheBody() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.data(1, false, "ab").reset(1);

        assertThat(body.take()).containsExactly("ab", "read", "broken");
        assertThat(exchange.ended()).isTrue();
        assertThat(exchange.outcome().cut()).isTrue();
    }

    @Test
    void aClosedConnectionBreaksTheBody() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.data(1, false, "ab");
        server.channel().lose();
        assertThat(body.take()).containsExactly("ab", "read", "broken");
    }

    /** The upstream has the whole request of a client that gives up: the body is not broken then. */
    @Test
    void aResetAfterTheEndLeavesTheBody() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.data(1, true, "ab").reset(1);
        assertThat(body.take()).containsExactly("ab", "end", "read");
        assertThat(exchange.ended()).isTrue();
    }

    // ---- windows

    private int opened(int stream) {
        int more = 0;
        for (Frame frame : client.arrived()) {
            more += frame.type() == FrameClient.WINDOW_UPDATE && frame.stream() == stream ? frame.number(0) : 0;
        }
        return more;
    }

    @Test
    void opensTheWindowForWhatIsRead() {
        Exchange exchange = server.greet().post(1);
        exchange.body().read(body);
        client.data(1, false, "x".repeat(PIECE));
        assertThat(opened(1)).isEqualTo(PIECE);
    }

    @Test
    void keepsTheWindowShutForWhatIsHeld() {
        Exchange exchange = server.greet().post(1);
        for (int i = 0; i < 4; i++) {
            client.data(1, false, "x".repeat(PIECE));
        }
        assertThat(opened(1)).isZero();
        exchange.body().read(body);
        server.channel().runPendingTasks();
        assertThat(opened(1)).isEqualTo(4 * PIECE);
        assertThat(body.bytes()).isEqualTo(4 * PIECE);
    }

    @Test
    void paddingIsConsumedAtOnce() {
        server.greet().post(1); // not read
        byte[] padded = new byte[1 + 1 + 255];
        padded[0] = (byte) 255;
        for (int i = 0; i < 100; i++) {
            client.frame(FrameClient.DATA, FrameClient.PADDED, 1, padded);
        }
        assertThat(opened(1)).as("an eighth of the window at once").isBetween(8_192, 100 * 256);
    }

    @Test
    void endsAStreamThatSendsMoreThanItsWindow() {
        server.greet().post(1);
        for (int i = 0; i < 5; i++) {
            client.data(1, false, "x".repeat(PIECE));
        }
        assertThat(client.outcome(1)).isEqualTo("RST FLOW_CONTROL_ERROR");
        assertThat(client.outcome(0)).isEqualTo("ALIVE");
    }

    @Test
    void aBodyIsSendableAsLongAsTheConnectionHasAWindow() {
        server.greet();
        List<Exchange> all = new ArrayList<>();
        for (int id = 1; id < 32; id += 2) { // bodies that are not read fill the window of the connection
            Exchange exchange = server.post(id);
            assertThat(exchange.body().sendable()).isTrue();
            for (int i = 0; i < 4; i++) {
                client.data(id, false, "x".repeat(16_384));
            }
            all.add(exchange);
        }
        assertThat(all).noneMatch(exchange -> exchange.body().sendable());
        for (int i = 0; i < 3; i++) {
            all.get(i).body().read(body);
        }
        assertThat(all).allMatch(exchange -> exchange.body().sendable());
    }

    // ---- a client that reads nothing

    /** Heads of responses are not flow-controlled: a client that sends requests and reads nothing must not fill the memory. */
    @Test
    void pausesAClientThatReadsNoResponses() {
        server.greet();
        server.channel().blocked(true);
        String large = "X".repeat(4_000); // which Huffman coding does not shorten
        int id = 1;
        for (; server.channel().config().isAutoRead() && id < 251; id += 2) {
            Exchange exchange = server.get(id);
            exchange.response().head(head(200, "x-large", large));
            exchange.response().end();
            server.channel().runPendingTasks();
        }
        assertThat((id - 1) / 2 * 4_000).isBetween(256 * 1024, 512 * 1024);
        server.channel().blocked(false);
        assertThat(server.channel().config().isAutoRead()).isTrue();
    }

    // ---- unusual orders

    @Test
    void ignoresFramesOfStreamsThatItHasReset() {
        server.greet();
        client.headers(1, false, FrameClient.request("POST", "/", "X-Up", "a"));
        server.exchange().refuse(Refusal.REQUEST_MALFORMED);
        assertThat(client.outcome(1)).isEqualTo("400 RST PROTOCOL_ERROR");
        client.data(1, false, "under way").headers(1, true, "x-sum", "7").reset(1);

        assertThat(client.outcome(0)).isEqualTo("ALIVE");
        Exchange none = server.channel().readInbound();
        assertThat(none).isNull();
        assertThat(server.exceeded()).isEmpty();
    }

    @Test
    void countsEachReset() {
        server.greet();
        List<String> frames = new ArrayList<>();
        for (int id = 1; id < 1_001 && server.exceeded().isEmpty(); id += 2) {
            client.get(id, "/");
            server.exchange();
            client.reset(id);
        }
        frames.addAll(server.sent());
        assertThat(server.exceeded()).containsExactly(AbuseLimit.RESETS);
        assertThat(frames).last().asString().isEqualTo("GOAWAY 801 ENHANCE_YOUR_CALM resets");
    }
}
