package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which failures are those of a peer, of one direction, or of a process without file descriptors. */
class ConnectionErrorsTest {

    private final EmbeddedSocket socket = new EmbeddedSocket(Ticker.newMockTicker());

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IOException("Connection reset by peer"), true),
                Arguments.of(new DecoderException(new SSLException("not TLS")), true),
                Arguments.of(new DecoderException(new IllegalStateException("ours")), false),
                Arguments.of(new DecoderException("ours"), false),
                Arguments.of(new IllegalStateException(new IOException("inside")), false));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void tellsThoseOfThePeer(Throwable cause, boolean peer) {
        assertThat(ConnectionErrors.is(cause)).isEqualTo(peer);
    }

    @Test
    void anEndedOutputIsNotTheEndOfTheConnection() {
        IOException reset = new IOException("Connection reset by peer");
        assertThat(ConnectionErrors.onlyOutput(reset, socket)).as("it is open").isFalse();
        socket.shutdownOutput();
        assertThat(ConnectionErrors.onlyOutput(reset, socket)).isTrue();
        assertThat(ConnectionErrors.onlyOutput(new IllegalStateException("ours"), socket))
                .isFalse();
        assertThat(ConnectionErrors.onlyOutput(reset, new EmbeddedChannel())).isFalse();
        socket.close();
        assertThat(ConnectionErrors.onlyOutput(reset, socket)).isFalse();
    }

    /** A handler's close would wait for a peer that reads nothing, as that of TLS does. */
    @Test
    void aResetPassesAllHandlers() {
        AtomicInteger asked = new AtomicInteger();
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
                asked.incrementAndGet();
            }
        });
        ConnectionReset.send(channel);
        assertThat(channel.isOpen()).isFalse();
        assertThat(asked).hasValue(0);
    }

    static Stream<Arguments> causes() {
        return Stream.of(
                Arguments.of(new IOException("Too many open files"), true),
                Arguments.of(new IllegalStateException(new IOException("accept: Too many open files in system")), true),
                Arguments.of(new IOException("Connection refused"), false),
                Arguments.of(new IOException(), false),
                Arguments.of(null, false));
    }

    @ParameterizedTest
    @MethodSource("causes")
    void tellsALackOfDescriptors(@Nullable Throwable cause, boolean exhausted) {
        assertThat(Descriptors.exhausted(cause)).isEqualTo(exhausted);
    }
}
