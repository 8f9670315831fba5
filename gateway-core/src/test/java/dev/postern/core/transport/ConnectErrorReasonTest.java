package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
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
                        new SSLHandshakeException("(certificate_unknown) PKIX path building failed"),
                        "TLS handshake failed"),
                Arguments.of(
                        handshake("PKIX path building failed", new CertPathBuilderException("no path to s3cret")),
                        "TLS handshake failed: no trusted authority issued the certificate of the server"),
                Arguments.of(
                        handshake("PKIX path validation failed", new CertificateExpiredException("NotAfter: s3cret")),
                        "TLS handshake failed: the certificate of the server has expired"),
                Arguments.of(
                        handshake(
                                "failed", new CertificateException("No subject alternative DNS name matching s3cret")),
                        "TLS handshake failed: the certificate of the server is for another name"),
                Arguments.of(
                        new SSLHandshakeException("Received fatal alert: certificate_required"),
                        "TLS handshake failed: the server requires a certificate of the gateway"),
                Arguments.of(
                        new DecoderException(new NotSslRecordException("not an SSL/TLS record: 2d455252")),
                        "the server does not use TLS on this port"),
                Arguments.of(
                        new SslHandshakeTimeoutException("handshake timed out after 2000ms"),
                        "no response to the TLS handshake (expected: a port with TLS)"),
                Arguments.of(unknownHost(), "the name does not resolve"));
    }

    private static SSLHandshakeException handshake(String message, Exception cause) {
        SSLHandshakeException failure = new SSLHandshakeException(message);
        failure.initCause(cause);
        return failure;
    }

    /** As thrown by the resolver of Netty: the innermost cause is of its own type. */
    private static UnknownHostException unknownHost() {
        UnknownHostException failure = new UnknownHostException("Failed to resolve 'cache.example' [A(1)]");
        failure.initCause(new IllegalStateException("Query failed with NXDOMAIN"));
        return failure;
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
