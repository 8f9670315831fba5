package dev.postern.core.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.route.Route;
import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestRoute;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests clients that write a whole request before they read: they find the early response, and its end is no reset. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class EarlyResponsesIT {

    private static final int SIZE = 12_000_000; // more than the capacity of the sockets between

    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 12000000\r\n\r\n";

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;

    private final TestOrigin origin = new TestOrigin();
    private CoreGateway gateway = new CoreGateway(Setup.of(origin.address()).route(EarlyResponsesIT::limited));

    @BeforeAll
    static void certificate() {
        certificate = TestCertificate.ec(folder, "site", "dns:localhost");
    }

    private static Route limited(Route route) {
        return TestRoute.of(
                route.name(),
                route.host(),
                route.path(),
                route.upstream(),
                route.token(),
                route.rateLimit(),
                route.preflight(),
                route.timeout(),
                1_000_000);
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private int tlsPort() {
        return gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(
                        List.of(new KeyPairFiles(certificate.certificate(), certificate.key())), null, "TLSv1.2"),
                List.of("h2", "http/1.1"),
                Duration.ofSeconds(5)));
    }

    private Socket connect(boolean tls, String version, String alpn) throws IOException {
        if (!tls) {
            return new Socket(InetAddress.getLoopbackAddress(), gateway.port());
        }
        SSLSocket socket = (SSLSocket) TestCertificate.context(null, certificate)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), tlsPort());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {alpn});
        parameters.setProtocols(new String[] {version});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Writes everything, then reads until the end; fails when the connection is reset. */
    private static String exchange(Socket socket, String head) throws IOException {
        socket.setSoTimeout(20_000);
        OutputStream out = socket.getOutputStream();
        out.write(head.getBytes(ISO_8859_1));
        byte[] piece = new byte[64_000];
        for (int sent = 0; sent < SIZE; sent += piece.length) {
            out.write(piece);
        }
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "POST / HTTP/1.1|Host: h|Content-Length: 12000000||, 413",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: gzip||, 501",
        "TRACE / HTTP/1.1|Host: h|Content-Length: 12000000||, 405",
        "POST / HTTP/1.1|Content-Length: 12000000||, 400",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||zz|, 400",
        "CONNECT h:443 HTTP/1.1|Host: h:443||, 405",
    })
    void aClientThatReadsAfterItsWholeBodyFindsTheRefusal(String head, int status) throws IOException {
        String sent = head.replace("|", "\r\n");
        for (boolean tls : new boolean[] {true, false}) {
            try (Socket client = connect(tls, "TLSv1.3", "http/1.1")) {
                assertThat(exchange(client, sent))
                        .startsWith("HTTP/1.1 " + status + " ")
                        .contains("\r\n\r\n{");
            }
        }
    }

    @Test
    void aClientOfAnOlderTlsFindsTheRefusal() throws IOException {
        try (Socket client = connect(true, "TLSv1.2", "http/1.1")) {
            assertThat(exchange(client, POST)).startsWith("HTTP/1.1 413 ");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatReadsAfterItsWholeBodyFindsTheUpstreamsRefusal(boolean tls) throws IOException {
        gateway.close();
        try (RawOrigin early = new RawOrigin()) {
            gateway = new CoreGateway(Setup.of(early.address()));
            try (Socket client = connect(tls, "TLSv1.3", "http/1.1")) {
                client.getOutputStream().write(POST.getBytes(ISO_8859_1));
                Line line = early.accept();
                line.readHead();
                line.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nlong");
                assertThat(exchange(client, "")).startsWith("HTTP/1.1 401 ").endsWith("\r\n\r\nlong");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatUploadsForSecondsFindsTheRefusal(boolean tls) throws Exception {
        ScheduledExecutorService slow = Executors.newSingleThreadScheduledExecutor();
        CountDownLatch pieces = new CountDownLatch(30);
        try (Socket client = connect(tls, "TLSv1.3", "http/1.1")) {
            OutputStream out = client.getOutputStream();
            out.write(POST.getBytes(ISO_8859_1));
            slow.scheduleAtFixedRate(() -> send(out, pieces), 0, 100, TimeUnit.MILLISECONDS);
            assertThat(pieces.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.1 413 ");
        } finally {
            slow.shutdownNow();
        }
    }

    private static void send(OutputStream out, CountDownLatch pieces) {
        try {
            out.write(new byte[1000]);
            pieces.countDown();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // ends the schedule: the latch stays
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientOfHttp2FindsTheGoaway(boolean tls) throws IOException {
        try (FrameClient client =
                FrameClient.over(connect(tls, "TLSv1.3", "h2")).greet()) {
            client.await(FrameClient.SETTINGS);
            client.frame(FrameClient.DATA, 0, 1, new byte[10]); // of an idle stream: a fault of the connection
            byte[] piece = new byte[64_000];
            for (int sent = 0; sent < SIZE; sent += piece.length) {
                client.bytes(piece);
            }
            assertThat(client.outcome(3)).isEqualTo("GOAWAY PROTOCOL_ERROR");
            assertThat(client.next()).as("close_notify, no reset").isNull();
        }
    }

    @Test
    void clearTextOnAPortOfTls() throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), tlsPort())) {
            assertThat(exchange(client, POST)).startsWith("HTTP/1.1 400 ");
        }
    }

    /** TLS reports an end of the client's output for what it decrypts behind the gateway's own close_notify. */
    @ParameterizedTest
    @CsvSource({
        "|, 414",
        "GET, 414",
        "GET / HTTP/1.1|Host: h|x, 431",
        "POST / HTTP/1.1|Host: h|Transfer-Encoding: chunked||1, 400",
    })
    void recordsInOneReadWithABadOneCauseNoReset(String begun, int status) throws IOException {
        try (Socket client = connect(true, "TLSv1.3", "http/1.1")) {
            CountDownLatch written = new CountDownLatch(1);
            gateway.pauseUntil(written);
            OutputStream out = client.getOutputStream();
            out.write(begun.replace("|", "\r\n").getBytes(ISO_8859_1));
            for (int i = 0; i < 3; i++) {
                out.write(new byte[10_000]);
            }
            written.countDown();
            assertThat(exchange(client, "")).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    /** An attacker that sends for ever is closed, after a limit that no honest upload of a refused body reaches within a second. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientThatSendsForEverIsClosed(boolean tls) throws IOException {
        try (Socket client = connect(tls, "TLSv1.3", "http/1.1")) {
            OutputStream out = client.getOutputStream();
            out.write("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 999999999\r\n\r\n".getBytes(ISO_8859_1));
            byte[] piece = new byte[64_000];
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 15_000; i++) {
                            out.write(piece);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void lingeringConnectionsMakeRoomAtTheLimit() {
        gateway.close();
        gateway = new CoreGateway(Setup.of(origin.address()).limits(TestLimits.CLIENT.with(2)));
        try (RawClient used = new RawClient(gateway.port());
                RawClient refused = new RawClient(gateway.port())) {
            assertThat(used.get("/").status()).isEqualTo(200);
            refused.send("TRACE / HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999\r\n\r\nbody");
            assertThat(refused.read().status()).isEqualTo(405);
            assertThat(refused.closedByPeer()).isTrue(); // its output has ended, and it says nothing for seconds
            try (RawClient next = new RawClient(gateway.port())) {
                next.get("/");
                refused.awaitReset();
                assertThat(used.get("/").status()).isEqualTo(200);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
