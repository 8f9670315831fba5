package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a listener says to clients of another protocol. */
@ExtendWith(LeakExtension.class)
class ForeignProtocolHandlerTest {

    private static final String HELLO = "\u0016\u0003\u0001";
    private static final String PROXY = "PROXY TCP4 192.0.2.1 198.51.100.1 1024 443\r\n";

    private final List<Why> closing = new ArrayList<>();

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, ISO_8859_1);
    }

    private static String of(@Nullable Why reason) {
        return reason == null ? "right" : reason.name();
    }

    @ParameterizedTest
    @CsvSource({"GET / HTTP/1.1, right", "'', right", "PROXY, right", "'\u0016', TLS_HELLO", "'\u0015', right"})
    void readsTheBeginningOfClearText(String bytes, String found) {
        ByteBuf in = text(bytes);
        assertThat(of(ForeignProtocol.ofClearText(in))).isEqualTo(found);
        assertThat(in.readableBytes()).isEqualTo(bytes.length());
    }

    @ParameterizedTest
    @CsvSource({"A, CLEAR_TEXT", "Z, CLEAR_TEXT", "@, right", "[, right", "a, right", "'', right", "'\u0016', right"})
    void readsTheBeginningOfTls(String bytes, String found) {
        assertThat(of(ForeignProtocol.ofTls(text(bytes)))).isEqualTo(found);
    }

    @Test
    void knowsAProxyHeaderOnBoth() {
        assertThat(ForeignProtocol.ofTls(text(PROXY))).isEqualTo(Why.PROXY_HEADER);
        assertThat(ForeignProtocol.ofClearText(text(PROXY))).isEqualTo(Why.PROXY_HEADER);
    }

    private EmbeddedSocket connection(ForeignProtocolHandler handler) {
        return new EmbeddedSocket(Ticker.newMockTicker(), handler);
    }

    @Test
    void rightBytesGoOnAndTheHandlerLeaves() {
        ForeignProtocolHandler handler = ForeignProtocolHandler.ofTls(closing::add);
        EmbeddedSocket socket = connection(handler);
        socket.writeInbound(text(HELLO));
        ByteBuf passed = socket.readInbound();
        assertThat(passed.toString(ISO_8859_1)).isEqualTo(HELLO);
        passed.release();
        assertThat(socket.pipeline().get(ForeignProtocolHandler.class)).isNull();
        assertThat(handler.mistaken()).isFalse();
        assertThat(closing).isEmpty();
        socket.finishAndReleaseAll();
    }

    @Test
    void anHttpClientReadsWhichProtocolThePortSpeaks() {
        ForeignProtocolHandler handler = ForeignProtocolHandler.ofTls(closing::add);
        EmbeddedSocket socket = connection(handler);
        socket.writeInbound(text("GET / HTTP/1.1\r\n"));
        socket.writeInbound(text("Host: a\r\n\r\n"));
        assertThat(socket.inboundMessages()).as("nothing goes on").isEmpty();
        assertThat(socket.taken()).startsWith("HTTP/1.1 400 ").contains("This port speaks TLS");
        assertThat(handler.mistaken()).isTrue();
        assertThat(closing).containsExactly(Why.CLEAR_TEXT);
        assertThat(socket.isOutputShutdown()).isTrue();
        socket.finishAndReleaseAll();
    }

    @Test
    void aLoadBalancerReadsNothing() {
        EmbeddedSocket socket = connection(ForeignProtocolHandler.ofTls(closing::add));
        socket.writeInbound(text(PROXY));
        assertThat(socket.taken()).isEmpty();
        assertThat(closing).containsExactly(Why.PROXY_HEADER);
        assertThat(socket.isOutputShutdown()).isTrue();
        socket.finishAndReleaseAll();
    }

    @Test
    void aTlsClientOfAClearTextPortReadsNothing() {
        EmbeddedSocket socket = connection(ForeignProtocolHandler.ofHttp2(closing::add));
        socket.writeInbound(text(HELLO));
        assertThat(socket.taken()).isEmpty();
        assertThat(closing).containsExactly(Why.TLS_HELLO);
        assertThat(socket.isOutputShutdown()).isTrue();
        socket.finishAndReleaseAll();
    }
}
