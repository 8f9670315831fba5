package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamResponsesTest {
    private final Sent sent = new Sent();
    private final EmbeddedChannel connection =
            new EmbeddedChannel(Http2FrameCodecBuilder.forClient().build(), sent, new StreamResponses());

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void sendsAsManyRequestsAtOnceAsStated() {
        start(5, 3);

        assertThat(sent.heads).isEqualTo(3);
    }

    @Test
    void sendsNextRequestAtTheEndOfAStream() {
        start(3, 1);
        head("200", false);
        assertThat(sent.heads).isEqualTo(1);

        receive(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
        assertThat(sent.heads).isEqualTo(2);

        head("200", true);
        assertThat(sent.heads).isEqualTo(3);
    }

    @Test
    void endsWithAsManyResponsesAsRequests() {
        CompletableFuture<Long> responses = start(2, 1);
        head("200", true);
        head("200", true);

        assertThat(responses).isCompletedWithValue(2L);
        assertThat(sent.heads).isEqualTo(2);
    }

    @Test
    void refusesRequestsWithoutToken() {
        assertThatThrownBy(() -> RequestWorker.next(Stream.of("token").iterator(), 2))
                .hasMessage("tokens: all used (expected: one for each request)");
    }

    @Test
    void endsAtAnUnexpectedStatus() {
        CompletableFuture<Long> responses = start(1, 1);
        head("401", true);

        assertThatThrownBy(() -> ClosedLoop.get(responses)).hasRootCauseMessage("status: 401 (expected: 200)");
    }

    @Test
    void endsWhenConnectionEnds() {
        CompletableFuture<Long> responses = start(1, 1);
        connection.close();

        assertThatThrownBy(() -> ClosedLoop.get(responses))
                .hasRootCauseMessage("connection: closed by the server (expected: kept alive)");
    }

    private CompletableFuture<Long> start(int count, int atOnce) {
        Iterator<Http2Headers> requests =
                Stream.generate(StreamResponsesTest::request).limit(count).iterator();
        CompletableFuture<Long> responses =
                StreamResponses.requests(connection, requests).start(connection.eventLoop(), atOnce);
        connection.runPendingTasks();
        return responses;
    }

    private static Http2Headers request() {
        return new DefaultHttp2Headers().method("GET").scheme("https").path("/");
    }

    private void head(String status, boolean end) {
        receive(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status(status), end));
    }

    /** Delivers a frame as the codec would. */
    private void receive(Object frame) {
        connection.pipeline().context(sent).fireChannelRead(frame);
        connection.runPendingTasks();
    }

    /** Counts the heads of requests on their way to the codec. */
    private static final class Sent extends ChannelOutboundHandlerAdapter {
        private int heads;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof Http2HeadersFrame) {
                heads++;
            }
            super.write(context, message, promise);
        }
    }
}
