package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectErrorReasonTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException("Connection refused: /10.0.0.1:6379"), "connection refused"),
                Arguments.of(new ConnectException("Network is unreachable"), "no connection"),
                Arguments.of(new NoRouteToHostException("No route to host"), "no route to the address"),
                Arguments.of(new UnknownHostException("cache.example"), "the name does not resolve"),
                Arguments.of(new ConnectTimeoutException("timed out: /10.0.0.1:6379"), "no response in time"),
                Arguments.of(new SocketTimeoutException("Read timed out"), "no response in time"),
                Arguments.of(new TimeoutException(), "no response in time"),
                Arguments.of(new SSLHandshakeException("bad certificate of s3cret"), "TLS handshake failed"),
                Arguments.of(new DecoderException(new SSLHandshakeException("no")), "TLS handshake failed"),
                Arguments.of(new CorruptedFrameException("odd"), "the server sent no valid reply"),
                Arguments.of(new ClosedChannelException(), "connection lost"),
                Arguments.of(new IOException("Connection reset by peer"), "connection lost"),
                Arguments.of(
                        new IllegalStateException("WRONGPASS invalid username-password pair s3cret"),
                        "authentication failed, WRONGPASS"),
                Arguments.of(
                        new IllegalStateException("NOAUTH HELLO must be called with s3cret"),
                        "authentication failed, NOAUTH"),
                Arguments.of(new IllegalStateException("LOADING Redis is loading"), "error reply LOADING"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void namesTheReasonOfWrappedFailures(Throwable failure, String words) {
        Throwable wrapped =
                new CompletionException("redis://:s3cret@10.0.0.1", new IllegalStateException("s3cret", failure));

        assertThat(ConnectErrorReason.of(failure)).isEqualTo(words);
        assertThat(ConnectErrorReason.of(wrapped)).isEqualTo(words).doesNotContain("s3cret", "10.0.0.1", "Exception");
    }
}
