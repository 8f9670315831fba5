package dev.postern.core.http2.client;

import static dev.postern.core.testing.TestResponse.trailers;
import static dev.postern.core.testing.UpstreamChannel.head;
import static dev.postern.core.testing.UpstreamChannel.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UpstreamChannel;
import dev.postern.core.testing.UpstreamEvents;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one exchange over a stream to a server: what is sent of it, what its handler gets, and when the stream is free again. */
@ExtendWith(LeakExtension.class)
class Http2UpstreamStreamTest {

    private static final String[] OK = {":status", "200"};
    private static final int MAX_STREAMS = 3;
    private static final int INITIAL_WINDOW = 4;
    private static final int CONNECT_PROTOCOL = 8;
    private static final int INTERNAL_ERROR = 2;

    private final UpstreamChannel upstream = new UpstreamChannel();
    private final FrameClient server = upstream.server();

    @AfterEach
    void close() {
        upstream.close();
    }

    private void reset(int stream, int error) {
        server.frame(FrameClient.RST_STREAM, 0, stream, FrameClient.numbers(error));
    }

    // ---- requests

    @Test
    void sendsAHeadThatEndsTheStream() {
        upstream.accept().send(head("GET", "/a?b=c"));
        assertThat(upstream.sent()).containsExactly("HEADERS 1 GET /a?b=c END");
        assertThat(server.soFar(1).field(":authority")).isEqualTo("a.example");
        assertThat(server.soFar(1).field(":scheme")).isEqualTo("http");
        assertThat(server.soFar(1).field("host")).isEmpty();
    }

    @Test
    void sendsABodyAndItsEnd() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.body("ab").body("c");
        assertThat(upstream.sent()).containsExactly("HEADERS 1 POST /", "DATA 1 abc");
        exchange.stream().bodyEnd();
        exchange.stream().bodyEnd();
        exchange.body("late");
        assertThat(upstream.sent()).containsExactly("DATA 1 END");
        assertThat(upstream.events()).isEmpty();
    }

    @Test
    void sendsTrailersAsTheEndOfTheBody() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.body("ab");
        exchange.stream().behindBody(trailers("x-sum", "7"));
        exchange.stream().bodyEnd();
        assertThat(upstream.sent()).containsExactly("HEADERS 1 POST /", "DATA 1 ab", "HEADERS 1 x-sum=7 END");
    }

    @Test
    void dropsTrailersThatCouldBeReadInTwoWays() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.stream().behindBody(trailers("x-sum", "7\r\nx-a: b"));
        exchange.stream().bodyEnd();
        assertThat(upstream.sent()).containsExactly("HEADERS 1 POST /", "DATA 1 END");
    }

    @Test
    void usesANewStreamForEachExchange() {
        UpstreamEvents one = upstream.accept().get();
        server.headers(1, true, OK);
        assertThat(upstream.events()).containsExactly("head 200", "complete", "free");
        RequestHead again = head("GET", "/again");
        one.stream().send(again, one);
        assertThat(upstream.sent()).containsExactly("HEADERS 3 GET /again END");
        server.headers(3, true, OK);
        assertThat(upstream.events()).containsExactly("head 200", "complete", "free");
    }

    @Test
    void sendsNoHeadThatCouldBeReadInTwoWays() {
        upstream.accept();
        RequestHead twoHosts = head("GET", "/");
        twoHosts.add(FieldName.HOST, "b.example");
        upstream.send(twoHosts);
        RequestHead blank = head("GET", "/a b");
        upstream.send(blank);
        RequestHead framedTwice = head("POST", "/").bodyLength(3);
        framedTwice.add(FieldName.CONTENT_LENGTH, "4");
        upstream.send(framedTwice);

        assertThat(upstream.sent()).isEmpty();
        assertThat(upstream.events()).containsExactly("free", "unsendable", "free", "unsendable", "free", "unsendable");
        upstream.pass(Duration.ofSeconds(120));
        assertThat(upstream.events()).as("no timeout is left").doesNotContain("late");
    }

    @Test
    void opensNoMoreStreamsThanTheServerAllows() {
        upstream.accept(MAX_STREAMS, 1).get();
        upstream.send("second", head("GET", "/"));
        assertThat(upstream.sent()).isEmpty();
        assertThat(upstream.events()).containsExactly("second free", "second unprocessed, leaving");
        server.headers(1, true, OK);
        upstream.send("third", head("GET", "/third"));
        assertThat(upstream.sent()).anyMatch(frame -> frame.endsWith("GET /third END"));
    }

    // ---- flow control of requests

    @Test
    void pausesTheClientAt64KiBAndResumesItBelow() {
        UpstreamEvents exchange = upstream.accept(INITIAL_WINDOW, 0).send(post());
        server.window(0, 100_000);
        exchange.body("x".repeat(40_000));
        assertThat(exchange.stream().writable()).isTrue();
        exchange.body("x".repeat(25_536));
        assertThat(exchange.stream().writable()).isFalse();
        assertThat(upstream.sent()).containsExactly("HEADERS 1 POST /");
        server.window(1, 40_000);
        assertThat(upstream.events()).containsExactly("writable");
        server.window(1, 25_536);
        assertThat(upstream.events()).isEmpty();
        exchange.body("last");
        exchange.stream().bodyEnd();
        server.window(1, 10);
        assertThat(server.response(1).length()).isEqualTo(65_540);
    }

    /** What an exchange has left behind is not counted for the next one. */
    @Test
    void theQueueOfAnEarlierExchangeIsNotCounted() {
        UpstreamEvents exchange = upstream.accept(INITIAL_WINDOW, 0).send(post());
        exchange.body("x".repeat(70_000));
        assertThat(exchange.stream().writable()).isFalse();
        exchange.stream().abort();
        exchange.stream().send(post(), exchange);
        assertThat(exchange.stream().writable()).isTrue();
        server.window(3, 10);
        assertThat(upstream.events()).doesNotContain("writable");
    }

    // ---- responses

    @Test
    void passesAResponseOn() {
        upstream.accept().get();
        server.headers(1, false, ":status", "103");
        assertThat(upstream.events()).containsExactly("interim 103", "read");
        server.headers(1, false, OK);
        assertThat(upstream.events()).containsExactly("head 200", "read");
        server.data(1, false, "ab");
        assertThat(upstream.events()).containsExactly("ab", "read");
        server.data(1, false, "c").headers(1, true, "x-sum", "7");
        assertThat(upstream.events()).containsExactly("c", "read", "x-sum: 7", "complete", "free");
        server.frame(FrameClient.PING, 0, 0, new byte[8]);
        assertThat(upstream.sent()).as("nothing is reset").containsExactly("PING ACK");
    }

    /** The small frames of one read are one piece. */
    @Test
    void joinsTheFramesOfARead() {
        upstream.accept().get();
        server.headers(1, false, OK);
        upstream.events();
        byte[] frame = FrameClient.raw(FrameClient.DATA, 0, 1, new byte[] {'a', 'b'});
        byte[] three = Arrays.copyOf(frame, 3 * frame.length);
        System.arraycopy(frame, 0, three, frame.length, frame.length);
        System.arraycopy(frame, 0, three, 2 * frame.length, frame.length);
        server.bytes(three);
        assertThat(upstream.events()).containsExactly("ababab", "read");
    }

    @Test
    void freesTheStreamWithTheEndOfTheResponse() {
        upstream.accept().get();
        server.headers(1, false, OK).data(1, true, "ab");
        assertThat(upstream.events()).containsExactly("head 200", "read", "ab", "complete", "free");
    }

    @Test
    void completesAResponseWithExcessContent() {
        upstream.accept().send(head("HEAD", "/"));
        upstream.sent();
        server.headers(1, false, ":status", "200", "content-length", "5").data(1, true, "hello");
        assertThat(upstream.events()).containsExactly("head 200", "read", "complete", "free");
    }

    // ---- a handler that pauses

    @Test
    void holdsWhatComesWhileItsHandlerPauses() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        upstream.events();
        server.data(1, false, "ab").data(1, false, "c").headers(1, true, "x-sum", "7");
        assertThat(upstream.events()).containsOnly("read");
        exchange.stream().resume();

        assertThat(upstream.events()).containsExactly("abc", "x-sum: 7", "free", "complete");
    }

    @Test
    void opensTheWindowOnlyForWhatTheHandlerTook() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        for (int i = 0; i < 3; i++) {
            server.data(1, false, "x".repeat(16_384));
        }
        assertThat(upstream.sent()).noneMatch(frame -> frame.startsWith("WINDOW 1"));
        exchange.stream().resume();
        assertThat(upstream.sent()).anyMatch(frame -> frame.startsWith("WINDOW 1"));
        assertThat(exchange.bytes()).isEqualTo(3 * 16_384);
    }

    /** A paused stream takes nothing of the window of the others. */
    @Test
    void opensTheWindowOfTheConnectionByItself() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        for (int i = 0; i < 3; i++) {
            server.data(1, false, "x".repeat(16_384));
        }
        assertThat(upstream.sent()).anyMatch(frame -> frame.startsWith("WINDOW 0"));
    }

    @Test
    void completesAHeldResponseAfterItsStreamHasEnded() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        server.data(1, true, "held");
        reset(1, INTERNAL_ERROR);
        upstream.events();
        exchange.stream().resume();
        assertThat(upstream.events()).containsExactly("held", "free", "complete");
    }

    @Test
    void dropsAHeldResponseOfALostConnection() {
        UpstreamEvents exchange = upstream.accept().get();
        server.headers(1, false, OK);
        exchange.stream().pause();
        server.data(1, false, "held");
        upstream.events();
        upstream.channel().lose();
        assertThat(upstream.events()).contains("failed upstream-closed", "gone upstream-closed");
        exchange.stream().resume();
        assertThat(upstream.events()).isEmpty();
    }

    @Test
    void resumingWithoutAPauseDoesNothing() {
        UpstreamEvents exchange = upstream.accept().get();
        exchange.stream().resume();
        assertThat(upstream.events()).isEmpty();
    }

    @Test
    void dropsTheBodyOfAnEndedExchange() {
        UpstreamEvents exchange = upstream.accept().send(post());
        exchange.stream().abort();
        upstream.sent();
        exchange.body("late");
        exchange.stream().bodyEnd();
        assertThat(upstream.sent()).isEmpty();
    }

    @Test
    void isLateAfterItsTimeout() {
        upstream.accept().get();
        upstream.pass(Duration.ofSeconds(60).minusNanos(1));
        assertThat(upstream.events()).isEmpty();
        upstream.pass(Duration.ofNanos(1));
        assertThat(upstream.events()).contains("late");
    }

    // ---- tunnels

    private static RequestHead upgrade(String method) {
        RequestHead head = head(method, "/chat").upgrade("websocket");
        head.add(FieldName.UPGRADE, "websocket");
        head.add(FieldName.CONNECTION, "upgrade");
        head.add(FieldName.of("sec-websocket-key"), "dGhlIHNhbXBsZSBub25jZQ==");
        return head;
    }

    @Test
    void opensATunnelByExtendedConnect() {
        UpstreamEvents exchange = upstream.accept(CONNECT_PROTOCOL, 1).send(upgrade("GET"));
        assertThat(upstream.sent()).containsExactly("HEADERS 1 CONNECT /chat");
        assertThat(server.soFar(1).field(":protocol")).isEqualTo("websocket");
        assertThat(server.soFar(1).field("sec-websocket-key") + server.soFar(1).field("upgrade"))
                .isEmpty();
        server.headers(1, false, ":status", "200", "content-length", "1");
        assertThat(upstream.events()).containsExactly("upgraded 200", "read");
        exchange.stream().hand(exchange);
        exchange.body("ping");
        assertThat(upstream.sent()).containsExactly("DATA 1 ping");
        server.data(1, false, "pong, of any length").data(1, true, "bye");
        assertThat(upstream.events()).contains("pong, of any length", "bye", "complete");
        assertThat(upstream.sent()).as("the other direction is not needed").containsExactly("RST 1 CANCEL");
    }

    @Test
    void aRefusedTunnelIsAResponse() {
        upstream.accept(CONNECT_PROTOCOL, 1).send(upgrade("GET"));
        upstream.sent();
        server.headers(1, false, ":status", "403").data(1, true, "no");
        assertThat(upstream.events()).contains("head 403", "no", "complete").doesNotContain("upgraded 403");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void sendsNoTunnelThatTheServerDoesNotSupport(int supported) {
        upstream.accept(CONNECT_PROTOCOL, supported);
        upstream.send(upgrade(supported == 1 ? "POST" : "GET"));
        assertThat(upstream.sent()).isEmpty();
        assertThat(upstream.events()).isEqualTo(List.of("free", "unsupported"));
    }
}
