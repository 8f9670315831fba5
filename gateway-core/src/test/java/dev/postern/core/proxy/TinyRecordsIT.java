package dev.postern.core.proxy;

import static dev.postern.core.proxy.TinyPieces.PIECES;
import static dev.postern.core.proxy.TinyPieces.bounded;
import static dev.postern.core.proxy.TinyPieces.chunks;
import static dev.postern.core.proxy.TinyPieces.readPieces;
import static dev.postern.core.proxy.TinyPieces.singly;
import static dev.postern.core.proxy.TinyPieces.whilePaused;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.CountedSockets;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import dev.postern.core.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests, by counts at the sockets, that TLS records of one byte of one read are joined, and that pieces become few records. */
@ParameterizedClass(name = "{0}, {1}")
@CsvSource({"NIO, BORINGSSL", "EPOLL, BORINGSSL", "NIO, JDK", "EPOLL, JDK"})
@ExtendWith(LeakExtension.class)
class TinyRecordsIT {

    @TempDir
    private static Path folder;

    private static TestCertificate certificate;

    private final TlsEngine.Kind engine;
    private final RawOrigin origin = new RawOrigin();
    private final CoreGateway gateway;

    TinyRecordsIT(Transport.Kind transport, TlsEngine.Kind engine) {
        this.engine = engine;
        this.gateway = new CoreGateway(Setup.of(origin.address()).transport(CountedSockets::in), transport);
    }

    @BeforeAll
    static void certificate() {
        certificate = TestCertificate.ec(folder, "site", "dns:localhost");
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    private Socket connect(String protocol) throws IOException {
        KeyPairFiles files = new KeyPairFiles(certificate.certificate(), certificate.key());
        int port = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(files), null, "TLSv1.2"),
                List.of("h2", "http/1.1"),
                Duration.ofSeconds(10)));
        SSLSocket socket = (SSLSocket) TestCertificate.context(null, certificate)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    @Test
    void recordsOfAClientBecomeOneWrite() throws IOException {
        try (RawClient client = RawClient.over(connect("http/1.1"))) {
            client.send("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: " + (PIECES + 1) + "\r\n\r\ny");
            Line line = origin.accept();
            line.readUntil("\r\n\r\ny");
            whilePaused(gateway, () -> singly(() -> client.send("x")), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void framesInRecordsBecomeOneChunk() throws IOException {
        byte[] frame = FrameClient.raw(FrameClient.DATA, 0, 1, new byte[] {'x'});
        String[] post = FrameClient.request("POST", "/a");
        post[3] = "https";
        try (FrameClient client = FrameClient.over(connect("h2")).greet()) {
            client.headers(1, false, post).data(1, false, "y");
            Line line = origin.accept();
            line.readUntil("y\r\n");
            whilePaused(gateway, () -> singly(() -> client.bytes(frame)), () -> readPieces(() -> line.read(1)));
            bounded(CountedSockets.client(), CountedSockets.upstream());
        }
    }

    @Test
    void chunksOfAnUpstreamBecomeFewRecords() throws IOException {
        try (RawClient client = RawClient.over(connect("http/1.1"))) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            Line line = origin.accept();
            line.readHead();
            line.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ny\r\n");
            client.readUntil("y\r\n");
            whilePaused(gateway, () -> line.send(chunks("x")), () -> readPieces(() -> client.readBytes(1)));
            bounded(CountedSockets.upstream(), CountedSockets.client());
        }
    }
}
