package dev.postern.core.http1.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Http1UpstreamConnectionTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> heard = new ArrayList<>();
    private UpstreamStream stream;

    private final class Recording implements UpstreamResponseHandler {

        @Override
        public void interim(ResponseHead head) {
            heard.add("interim " + head.status());
        }

        @Override
        public void head(ResponseHead head) {
            heard.add("head " + head.status());
        }

        @Override
        public void content(ByteBuf data) {
            heard.add(data.toString(ISO_8859_1));
            data.release();
            stream.pause();
        }

        @Override
        public void complete() {
            heard.add("complete");
        }

        @Override
        public void readComplete() {}

        @Override
        public void late() {
            heard.add("late");
        }

        @Override
        public void writable() {}

        @Override
        public void failed(Refusal refusal, boolean silent) {
            heard.add(refusal.code() + (silent ? " silent" : ""));
        }
    }

    private final class RecordingOwner implements UpstreamStream.Owner {

        @Override
        public void free(boolean reusable) {
            heard.add(reusable ? "free" : "spent");
        }

        @Override
        public void gone() {
            heard.add("gone");
        }
    }

    @BeforeEach
    void open() {
        stream = Http1UpstreamConnection.opener().apply(channel, new RecordingOwner());
        RequestHead get = new RequestHead();
        get.target("/", "");
        get.add(FieldName.HOST, "h");
        stream.send(get, new Recording());
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void receive(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    @Test
    void resumesReadingBeforeItReturnsToThePool() {
        receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(heard).containsExactly("head 200", "ok", "free", "complete");
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void isNotReusedAfterExcessBytes() {
        receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n");
        assertThat(heard).containsExactly("head 200", "ok", "spent", "complete");
    }

    @Test
    void isNotReusedAfterConnectionClose() {
        receive("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertThat(heard).containsExactly("head 200", "spent", "complete");
    }

    @Test
    void isNotReusedWhileItTakesNoBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        assertThat(pending).isNotNull();
        pending.setUserDefinedWritability(1, false);
        receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(heard).containsExactly("head 200", "ok", "spent", "complete");
    }

    @Test
    void closesOnUnrequestedBytes() {
        receive("HTTP/1.1 204 No Content\r\n\r\n");
        heard.clear();
        receive("x");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void reportsWhetherAByteArrivedBeforeItFailed() {
        channel.close();
        assertThat(heard).containsExactly("gone", "upstream-closed silent");
    }

    @Test
    void aPartialHeadIsNotSilence() {
        receive("HTTP/1.1 2");
        channel.close();
        assertThat(heard).containsExactly("gone", "upstream-closed");
    }

    @Test
    void relaysInterimHeadsAndRefusesAnUnrequestedUpgrade() {
        receive("HTTP/1.1 103 Early Hints\r\n\r\n");
        receive("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
        assertThat(heard).startsWith("interim 103").contains("upstream-malformed");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void closesWhenItsHeadCouldNotBeSent() {
        EmbeddedChannel closed = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                promise.setFailure(new IOException("Broken pipe"));
            }
        });
        RequestHead post = new RequestHead().bodyLength(4);
        post.target("/", "");
        post.add(FieldName.HOST, "h");
        post.add(FieldName.CONTENT_LENGTH, "4");
        Http1UpstreamConnection.opener().apply(closed, new RecordingOwner()).send(post, new Recording());
        assertThat(heard).containsExactly("gone", "upstream-closed silent");
        closed.finishAndReleaseAll();
    }

    @Test
    void refusesAmbiguousFraming() {
        receive("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n");
        assertThat(heard).contains("upstream-malformed");
    }
}
