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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamResponsesTest {
    private static final int REQUESTS = 5;

    private final Sent sent = new Sent();
    private final EmbeddedChannel connection =
            new EmbeddedChannel(Http2FrameCodecBuilder.forClient().build(), sent, new StreamResponses());

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    @Test
    void sendsAsManyRequestsAtOnceAsStated() {
        series(5).begin(connection, 3);

        assertThat(sent.heads).isEqualTo(3);
    }

    @Test
    void sendsNextRequestAtTheEndOfAStream() {
        series(3).begin(connection, 1);
        head("200", false);
        assertThat(sent.heads).isEqualTo(1);

        receive(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
        assertThat(sent.heads).isEqualTo(2);

        head("200", true);
        assertThat(sent.heads).isEqualTo(3);
    }

    @Test
    void endsWithAsManyResponsesAsRequests() {
        RequestSeries series = series(2);
        series.begin(connection, 1);
        head("200", true);
        head("200", true);

        series.await();
        assertThat(sent.heads).isEqualTo(2);
    }

    @Test
    void endsWhenTokensRunOut() {
        RequestSeries series = series(REQUESTS + 1);
        series.begin(connection, REQUESTS);
        head("200", true);

        assertThatThrownBy(series::await).hasRootCauseMessage("tokens: all used (expected: one for each request)");
    }

    @Test
    void endsAtAnUnexpectedStatus() {
        RequestSeries series = series(1);
        series.begin(connection, 1);
        head("401", true);

        assertThatThrownBy(series::await).hasRootCauseMessage("status: 401 (expected: 200)");
    }

    @Test
    void endsWhenConnectionEnds() {
        RequestSeries series = series(1);
        series.begin(connection, 1);
        connection.close();

        assertThatThrownBy(series::await)
                .hasRootCauseMessage("connection: closed by the server (expected: kept alive)");
    }

    private static RequestSeries series(int count) {
        return new RequestSeries(
                Stream.generate(StreamResponsesTest::request).limit(REQUESTS).iterator(), count);
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
