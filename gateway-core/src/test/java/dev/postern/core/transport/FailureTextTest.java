package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ConnectTimeoutException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTextTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException(), "the connection was refused"),
                Arguments.of(new ConnectException("Connection refused"), "the connection was refused"),
                Arguments.of(new ConnectException("Network is unreachable"), "the network is unreachable"),
                Arguments.of(new ConnectException("Connection timed out"), "no response in time"),
                Arguments.of(new ConnectTimeoutException("timed out: /10.0.0.1:1"), "no response in time"),
                Arguments.of(new HttpTimeoutException("request timed out"), "no response in time"),
                Arguments.of(new SocketTimeoutException("Read timed out"), "no response in time"),
                Arguments.of(new TimeoutException(), "no response in time"),
                Arguments.of(new NoRouteToHostException("No route to host"), "no route to the address"),
                Arguments.of(new UnknownHostException("a.example"), "its name has no address"),
                Arguments.of(new UnresolvedAddressException(), "its name has no address"),
                Arguments.of(
                        new BindException("Address already in use"),
                        "the address is in use, or not one of this machine"),
                Arguments.of(new NoSuchFileException("/x"), "no such file"),
                Arguments.of(new FileNotFoundException("/x"), "no such file, or one that may not be read"),
                Arguments.of(new AccessDeniedException("/x"), "access denied"),
                Arguments.of(new MalformedInputException(1), "no text in UTF-8"),
                Arguments.of(new EOFException(), "the server closed the connection without a response"),
                Arguments.of(new ClosedChannelException(), "the connection was closed"),
                Arguments.of(new SocketException("Connection reset"), "Connection reset"),
                Arguments.of(new IOException("status 500"), "status 500"),
                Arguments.of(
                        caused(
                                new SSLHandshakeException("PKIX path building failed: sun.security.X: unable to find"),
                                new CertPathBuilderException("unable to find")),
                        "no trusted authority issued its certificate"),
                Arguments.of(
                        new SSLHandshakeException("(certificate_unknown) PKIX path building failed"),
                        "no trusted authority issued its certificate"),
                Arguments.of(
                        caused(new SSLHandshakeException("failed"), new CertificateExpiredException("NotAfter: x")),
                        "its certificate has expired"),
                Arguments.of(
                        new SSLHandshakeException("No subject alternative DNS name matching a found."),
                        "its certificate is for another name"),
                Arguments.of(new SSLPeerUnverifiedException("x"), "the TLS handshake failed: x"),
                Arguments.of(new SSLHandshakeException(null), "the TLS handshake failed"),
                Arguments.of(new IOException("port: 0 (expected: 1)", new ConnectException()), "port: 0 (expected: 1)"),
                Arguments.of(new IllegalStateException(), "a fault without a known reason"),
                Arguments.of(null, "a fault without a known reason"));
    }

    private static Exception caused(Exception failure, Exception cause) {
        failure.initCause(cause);
        return failure;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void saysAFailureInASentence(Throwable failure, String text) {
        assertThat(FailureText.of(failure)).isEqualTo(text);
        assertThat(FailureText.of(new CompletionException(failure))).isEqualTo(text);
        assertThat(FailureText.of(new ExecutionException(new CompletionException(failure))))
                .isEqualTo(text);
    }

    /** Also for classes that no rule knows: what is left of their name in a message is removed. */
    @Test
    void neverNamesAClass() {
        List<Throwable> all = List.of(
                new GeneralSecurityException(new CertificateException("java.security.cert.CertificateException: no")),
                new IOException("java.util.concurrent.ExecutionException: java.net.ConnectException: refused"),
                new UncheckedIOException(new IOException(new NullPointerException())),
                new IllegalStateException("x", new ClassCastException("class [Ljava.lang.String; cannot be cast")),
                new ExceptionInInitializerError(new UnsatisfiedLinkError("libx.so: no such file")),
                new NoClassDefFoundError("Could not initialize class io.netty.channel.epoll.Native"),
                new ArrayIndexOutOfBoundsException(3),
                new StackOverflowError(),
                new UnsupportedOperationException());
        assertThat(all)
                .allSatisfy(failure -> assertThat(FailureText.of(failure))
                        .isNotBlank()
                        .doesNotContainPattern("\\b(java|javax|sun|io)\\.[a-z]+\\.")
                        .doesNotContain("Exception", "Error", "null"));
    }

    @Test
    void shortensOnlyTheWordsOfOthers() {
        String ours = "x".repeat(400) + " (expected: y)";
        assertThat(FailureText.of(new IllegalArgumentException(ours))).isEqualTo(ours);
        assertThat(FailureText.of(new IllegalStateException("z".repeat(400)))).isEqualTo("z".repeat(300) + "...");
    }
}
