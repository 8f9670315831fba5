package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.connection.CloseReasonMetrics;
import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.LogLines;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerNames;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests server names (SNI) that clients send and Java refuses: what routes without TLS works with it, and others get the first certificate. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class ServerNamesTest {

    private static final String LONG = "a".repeat(70);

    @TempDir
    private static Path folder;

    private static TestCertificate first;
    private static TestCertificate named;

    @Parameter
    private TlsEngine.Kind engine;

    private final MemoryGateway gateway = new MemoryGateway();
    private MemoryListener listener;

    @BeforeAll
    static void certificates() {
        first = TestCertificate.ec(folder, "first", "dns:first.example");
        named = TestCertificate.ec(folder, "named", "dns:my-app.test", "dns:x", "dns:h", "dns:*.shop.example");
    }

    @BeforeEach
    void listen() {
        listener = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        Stream.of(first, named)
                                .map(one -> new KeyPairFiles(one.certificate(), one.key()))
                                .toList(),
                        null,
                        "TLSv1.2"),
                List.of("http/1.1"),
                Duration.ofSeconds(5)));
    }

    @BeforeEach
    void serve() {
        gateway.origin();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private SSLSocket connect(String name, String version) throws IOException {
        // A context for each client: a client of the JDK that remembers a session of the same port, which another
        // gateway had before, sends the server name of that session.
        SSLContext trusting = TestCertificate.context(null, first, named);
        SSLSocket socket = TestTls.over(gateway.connect(listener), trusting);
        socket.setEnabledProtocols(new String[] {version});
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(ServerNames.of(name.getBytes(ISO_8859_1))));
        socket.setSSLParameters(parameters);
        return socket;
    }

    static Stream<Arguments> names() {
        return Stream.of("TLSv1.3", "TLSv1.2")
                .flatMap(version -> Stream.of(
                                Arguments.of("my-app.test", "named"),
                                Arguments.of("MY-App.Test", "named"),
                                Arguments.of("my-app.test.", "named"),
                                Arguments.of("x", "named"),
                                Arguments.of("x.", "named"),
                                Arguments.of("h:443", "named"),
                                Arguments.of("h:", "named"),
                                Arguments.of("h.:443", "named"),
                                Arguments.of("my_app.shop.example", "named"),
                                Arguments.of("-x.shop.example", "named"),
                                Arguments.of("x-.shop.example.", "named"),
                                Arguments.of(LONG + ".shop.example", "named"),
                                Arguments.of("my_app.test", "first"),
                                Arguments.of("-x", "first"),
                                Arguments.of("x..", "first"),
                                Arguments.of(".", "first"),
                                Arguments.of("..", "first"),
                                Arguments.of("a..shop.example", "first"),
                                Arguments.of("h:0", "first"),
                                Arguments.of("h:99999", "first"),
                                Arguments.of("127.0.0.1", "first"),
                                Arguments.of("[::1]", "first"),
                                Arguments.of("::1", "first"),
                                Arguments.of("b\u00fccher.shop.example", "first"),
                                Arguments.of("\u00ff\u00fe", "first"),
                                Arguments.of("a b", "first"),
                                Arguments.of("*.shop.example", "first"),
                                Arguments.of("a".repeat(255), "first"))
                        .map(one -> Arguments.of(version, one.get()[0], one.get()[1])));
    }

    @ParameterizedTest
    @MethodSource("names")
    void choosesTheCertificateByTheNameAsRoutesDo(String version, String name, String expected) throws IOException {
        try (SSLSocket socket = connect(name, version)) {
            socket.startHandshake();
            assertThat(socket.getSession().getPeerCertificates()[0])
                    .isEqualTo((expected.equals("named") ? named : first).x509());
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"my_app.test", "x.\n", "b\u00fccher.example"})
    void logsTheReasonAndTheNameOfAFailedHandshake(String name) throws IOException {
        try (LogLines log = new LogLines(CloseReasonMetrics.class);
                SSLSocket socket = connect(name, "TLSv1.2")) {
            socket.setEnabledCipherSuites(
                    new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"}); // no certificate is RSA
            assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
            assertThat(log.lines()).singleElement().asString().startsWith("listener reverse: closed a connection: ");
            assertThat(log.lines().get(0))
                    .contains(": server name " + name.replaceAll("[^ -~]", "?") + ", ")
                    .containsIgnoringCase("cipher")
                    .doesNotContain("127.0.0.1");
        }
    }

    @Test
    void aHelloInSeveralRecordsAndPiecesIsRead() throws IOException {
        byte[] records = ServerNames.records(ServerNames.hello("my_app.shop.example".getBytes(US_ASCII)), 1, 3, 50);
        try (RawClient client = RawClient.over(gateway.connect(listener))) {
            for (byte one : records) {
                client.send(new String(new byte[] {one}, ISO_8859_1));
            }
            assertThat(client.readBytes(1).charAt(0)).isEqualTo('\u0016'); // the server's hello
        }
    }

    @Test
    void clientsThatOpenAndCloseAreNotCounted() {
        for (int i = 0; i < 10; i++) {
            RawClient.over(gateway.connect(listener)).close();
            RawClient.over(gateway.connect(listener)).finish().close();
            RawClient.over(gateway.connect(listener)).send("\u0016\u0003").close();
        }
        assertThat(listener.connections()).isZero();
        assertThat(gateway.metrics().closed(Why.HANDSHAKE)).isZero();
    }
}
