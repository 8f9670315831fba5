package dev.postern.core.http2.client;

import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.UpstreamChannel.head;
import static dev.postern.core.testing.UpstreamChannel.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.UpstreamChannel;
import dev.postern.core.testing.UpstreamEvents;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how a connection to a server begins, how it is given up when the server is silent, and how it ends. */
@ExtendWith(LeakExtension.class)
class Http2UpstreamConnectionTest {

    private static final String[] OK = {":status", "200"};
    private static final int MAX_STREAMS = 3;

    private final UpstreamChannel upstream = new UpstreamChannel();
    private final FrameClient server = upstream.server();

    @AfterEach
    void close() {
        upstream.close();
    }

    private boolean open() {
        return upstream.channel().isOpen();
    }

    private void pass(int seconds) {
        upstream.pass(Duration.ofSeconds(seconds));
    }

    private void pong() {
        server.frame(PING, FrameClient.ACK, 0, new byte[8]);
    }

    private int pings() {
        return (int) upstream.sent().stream().filter("PING"::equals).count();
    }

    /** Opens a stream whose response goes on, as a watch has it, so that the connection is in use. */
    private void watch() {
        upstream.accept().send("watch", head("GET", "/"));
        server.headers(1, false, OK);
        upstream.sent();
        upstream.events();
    }

    private void get(String name) {
        upstream.send(name, head("GET", "/"));
    }

    // ---- beginning

    @Test
    void takesNoExchangeBeforeTheServersSettings() {
        assertThat(upstream.connection().streams()).isZero();
        server.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(MAX_STREAMS, 7));
        assertThat(upstream.events()).containsExactly("ready");
        assertThat(upstream.connection().streams()).isEqualTo(7);
        server.frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(MAX_STREAMS, 9));
        assertThat(upstream.events()).containsExactly("changed");
        assertThat(upstream.connection().streams()).isEqualTo(9);
    }

    @Test
    void takesNoMoreExchangesThanConfigured() {
        upstream.accept(MAX_STREAMS, 1_000);
        assertThat(upstream.connection().streams()).isEqualTo(100);
    }

    @Test
    void forbidsPushAndBoundsTheHead() {
        byte[] settings = server.await(FrameClient.SETTINGS).payload();
        assertThat(settings)
                .containsSequence(FrameClient.settings(1, 4096))
                .containsSequence(FrameClient.settings(2, 0));
    }

    // ---- silence

    @Test
    void closesASilentConnectionThatNobodyElseUses() {
        upstream.accept();
        pass(6);
        get("get");
        assertThat(pings()).isEqualTo(1);
        pass(1);
        assertThat(open()).isFalse();
        assertThat(upstream.events()).contains("get failed upstream-closed silent", "gone upstream-closed");
    }

    /** The watch has its head and waits; each further request found the connection in use and was never the first on it. */
    @Test
    void retiresASilentConnectionWithOpenStreams() {
        watch();
        pass(6);
        get("get");
        upstream.send("post", head("POST", "/"));
        assertThat(pings()).isEqualTo(1);
        pass(1);
        assertThat(upstream.events()).containsExactly("unresponsive", "get failed upstream-closed silent", "get free");
        assertThat(upstream.connection().streams()).isZero();
        assertThat(open()).isTrue();
        pass(30);
        assertThat(open()).isFalse();
        assertThat(upstream.events())
                .contains("watch failed upstream-closed", "post failed upstream-closed silent", "gone upstream-closed");
    }

    @Test
    void keepsAConnectionThatRespondsToThePing() {
        watch();
        pass(6);
        get("get");
        pong();
        pass(40);
        assertThat(upstream.events()).isEmpty();
        assertThat(upstream.connection().streams()).isPositive();
    }

    /** A PING that is answered late: the connection gets no new requests, but those under way are completed. */
    @Test
    void completesWhatIsUnderWayAfterAPause() {
        watch();
        pass(6);
        upstream.send("post", head("POST", "/"));
        pass(3);
        pong();
        pass(50);
        server.headers(3, true, OK);
        assertThat(upstream.events()).contains("unresponsive", "post head 200", "post complete");
        assertThat(open()).isTrue();
    }

    @Test
    void probesWhenTheFirstByteIsLate() {
        watch();
        pass(1);
        get("get");
        assertThat(pings()).isZero();
        assertThat(upstream.connection().stalled()).isFalse();
        pass(60);
        assertThat(upstream.events()).contains("get late");
        assertThat(upstream.connection().stalled()).isTrue();
        assertThat(pings()).isEqualTo(1);
        pass(1);
        assertThat(upstream.events()).contains("unresponsive");
    }

    /** Requests without responses over minutes: a server of gRPC ends a connection with three PINGs in a row. */
    @Test
    void sendsTwoPingsUntilAResponse() {
        watch();
        int pings = 0;
        for (int i = 0; i < 20; i++) {
            pass(20);
            get("get" + i);
            int more = pings();
            if (more > 0) {
                pong();
            }
            pings += more;
        }
        assertThat(pings).isEqualTo(2);
        assertThat(upstream.events()).doesNotContain("unresponsive", "gone upstream-closed");
        server.headers(1, true, "x-sum", "7");
        pass(6);
        get("last");
        assertThat(pings()).isEqualTo(1);
    }

    @Test
    void neverProbesAServerThatSends() {
        watch();
        for (int id = 3; id < 103; id += 2) {
            pass(4);
            get("get");
            server.headers(id, true, OK);
        }
        assertThat(pings()).isZero();
    }

    // ---- ends

    @Test
    void saysGoodbyeOnce() {
        upstream.accept().connection().close();
        upstream.connection().close();
        assertThat(upstream.sent()).containsExactly("GOAWAY 0 NO_ERROR");
        assertThat(open()).isFalse();
        assertThat(upstream.events()).containsExactly("gone upstream-closed");
    }

    @Test
    void readsNothingAfterItsGoodbye() {
        watch();
        upstream.channel().blocked(true);
        upstream.connection().close();
        upstream.events();
        server.data(1, true, "late");
        assertThat(upstream.events()).isEmpty();
    }

    @Test
    void leavesWhenTheServerDoes() {
        watch();
        server.frame(FrameClient.GOAWAY, 0, 0, FrameClient.numbers(1, 0));
        assertThat(upstream.events()).containsExactly("leaving");
        assertThat(upstream.connection().streams()).isZero();
        server.frame(FrameClient.GOAWAY, 0, 0, FrameClient.numbers(1, 0)).data(1, true, "last");
        assertThat(upstream.events())
                .containsSubsequence("watch last", "watch complete")
                .doesNotContain("leaving");
    }

    @Test
    void aConnectionErrorEndsEveryExchange() {
        watch();
        server.frame(FrameClient.WINDOW_UPDATE, 0, 0, new byte[4]);
        assertThat(upstream.sent()).hasSize(1).first().asString().startsWith("GOAWAY 0 PROTOCOL_ERROR");
        assertThat(open()).isFalse();
        assertThat(upstream.events())
                .containsExactly("leaving", "watch free", "watch failed upstream-malformed", "gone upstream-malformed");
    }

    @Test
    void aResetOfTheSocketClosesWithoutAGoodbye() {
        watch();
        upstream.channel().pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        assertThat(upstream.sent()).isEmpty();
        assertThat(upstream.events())
                .containsExactly("watch free", "watch failed upstream-closed", "gone upstream-closed");
    }

    @Test
    void aFailureOfAHandlerIsAnInternalError() {
        watch();
        upstream.channel().pipeline().fireExceptionCaught(new IllegalStateException("planted"));
        assertThat(upstream.sent()).hasSize(1).first().asString().startsWith("GOAWAY 0 INTERNAL_ERROR");
        assertThat(open()).isFalse();
    }

    @Test
    void aFailedWriteClosesTheConnection() {
        watch();
        upstream.channel().pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new IOException("Broken pipe"));
            }
        });
        UpstreamEvents exchange = upstream.send("post", post());
        exchange.body("ab");
        upstream.channel().runPendingTasks();
        assertThat(upstream.events()).contains("post failed upstream-malformed silent");
    }

    // ---- floods of a server

    private static byte[] many(int n, byte[] frame) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < n; i++) {
            all.writeBytes(frame);
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1, 0, 999", // empty DATA
        "4, 0, 0, 0, 999", // SETTINGS
        "6, 0, 0, 8, 1000", // PING; a HEADERS frame has earned one
        "7, 0, 0, 8, 999", // GOAWAY
        "3, 0, 1, 4, 10000", // RST_STREAM, of which a request has earned one
    })
    void endsTheConnectionOfAServerThatFloods(int type, int flags, int stream, int length, int allowed) {
        watch();
        byte[] payload = new byte[length];
        if (type == FrameClient.GOAWAY) {
            payload[3] = 1;
        }
        byte[] frame = FrameClient.raw(type, flags, stream, payload);
        server.bytes(many(allowed - 1, frame));
        assertThat(open()).isTrue();
        server.bytes(many(20, frame));
        assertThat(upstream.sent()).last().asString().isEqualTo("GOAWAY 0 ENHANCE_YOUR_CALM");
        assertThat(open()).isFalse();
        assertThat(upstream.events()).contains("gone upstream-malformed");
    }

    /** Sends PINGs for what was received, as servers of gRPC do: three times the budget, and as many as HEADERS and DATA. */
    @Test
    void keepsAServerThatMeasuresTheConnection() {
        upstream.accept();
        for (int id = 1; id < 3_001; id += 2) {
            UpstreamEvents exchange = upstream.send(post());
            exchange.body("a").stream().bodyEnd();
            server.frame(PING, 0, 0, new byte[8]).frame(PING, 0, 0, new byte[8]);
            server.headers(id, true, OK);
            upstream.sent();
        }
        assertThat(server.outcome(0)).isEqualTo("ALIVE");
    }

    /** What the server has sent on a stream until it hears of its reset is under way, and no error. */
    @Test
    void ignoresWhatIsUnderWayOnAResetStream() {
        upstream.accept();
        UpstreamEvents exchange = upstream.get();
        exchange.stream().abort();
        upstream.sent();
        server.headers(1, false, OK).data(1, false, "late").data(1, true, "data");
        assertThat(server.outcome(0)).isEqualTo("ALIVE");
        assertThat(upstream.events()).containsExactly("free");
    }

    /** A connection whose every response is malformed costs the gateway more than the server. */
    @Test
    void endsTheConnectionOfAServerWhoseResponsesAreMalformed() {
        upstream.accept();
        int sent = 0;
        for (; open() && sent < 20_000; sent++) {
            upstream.send("", head("GET", "/"));
            server.headers(1 + 2 * sent, true, ":status", "2");
            upstream.sent();
            upstream.events();
        }
        assertThat(sent).isBetween(1_000, 1_010);
    }
}
