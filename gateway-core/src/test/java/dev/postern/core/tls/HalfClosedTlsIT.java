package dev.postern.core.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.BothTlsEngines;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests destinations that end their output by the close_notify of TLS (RFC 8446 section 6.1); {@link HalfClosedTlsTest} has the clients. */
@BothTlsEngines
@ExtendWith(LeakExtension.class)
class HalfClosedTlsIT {

    private static final String ASK = "GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    private static final String AGREE = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    @Parameter
    private TlsEngine.Kind engine;

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;

    @BeforeAll
    static void certificate() {
        certificate = TestCertificate.ec(folder, "site", "dns:localhost");
    }

    /** Returns how output behind a client's close_notify ends: BoringSSL's engine can't send it, nor any in TLS 1.2. */
    private String endOfLateOutput(String version) {
        return engine == TlsEngine.Kind.JDK && version.equals("TLSv1.3") ? "close_notify" : "reset";
    }

    /** The other end of a tunnel: what a destination gets that ends its own output first. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aDestinationThatEndsFirstGetsTheRestOrAReset(String version) throws IOException {
        SSLServerSocketFactory servers =
                TestCertificate.context(certificate, certificate).getServerSocketFactory();
        try (SSLServerSocket server =
                (SSLServerSocket) servers.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setEnabledProtocols(new String[] {version});
            Setup setup = Setup.of("127.0.0.1:" + server.getLocalPort())
                    .overTls(new ClientTls(
                            TlsEngine.open(engine),
                            new ClientTls.Settings("localhost", certificate.certificate(), null, null),
                            ""));
            try (CoreGateway gateway = new CoreGateway(setup);
                    RawClient client = new RawClient(gateway.port()).send(ASK);
                    Socket line = server.accept()) {
                readHead(line.getInputStream());
                line.getOutputStream().write(AGREE.getBytes(ISO_8859_1));
                assertThat(client.readHead().status()).isEqualTo(101);
                line.shutdownOutput();
                assertThat(client.rest()).isEmpty();
                client.send("late").finish();
                assertThat(restOf(line)).isEqualTo(endOfLateOutput(version).equals("reset") ? "reset" : "late");
            }
        }
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            assertThat(next).as("after %s", head).isNotNegative();
            head.append((char) next);
        }
    }

    private static String restOf(Socket line) {
        try {
            return new String(line.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            return "reset";
        }
    }
}
