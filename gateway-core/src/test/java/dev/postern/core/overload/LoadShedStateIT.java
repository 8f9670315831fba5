package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what clients observe while the gateway sheds load. */
@ExtendWith(LeakExtension.class)
class LoadShedStateIT {

    private final TestOrigin origin = new TestOrigin();
    private final CoreGateway gateway = new CoreGateway(Setup.of(origin.address()));

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
    }

    @Test
    void refusesOverHttp2Too() {
        gateway.state().reason("heap");
        try (FrameClient client = FrameClient.connect(gateway.port())) {
            client.get(1, "/");
            assertThat(client.response(1).status()).isEqualTo("503");
        }
    }

    @Test
    void openExchangesContinue() {
        try (RawClient tunnel = new RawClient(gateway.forwardPort());
                RawClient upload = new RawClient(gateway.port())) {
            tunnel.send("CONNECT " + origin.address() + " HTTP/1.1\r\nHost: " + origin.address() + "\r\n\r\n");
            assertThat(tunnel.readConnect().status()).isEqualTo(200);
            upload.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
            org.awaitility.Awaitility.await()
                    .until(() -> gateway.gauge("postern.upstream.connections", "state", "open") == 1);
            gateway.state().reason("heap");
            assertThat(upload.send("bc").read().status()).isEqualTo(200);
            assertThat(tunnel.get("/").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TlsEngine.Kind.class,
            names = {"BORINGSSL", "JDK"})
    void refusesTlsHandshakes(TlsEngine.Kind engine, @TempDir Path folder) {
        TestCertificate shown = TestCertificate.ec(folder, "shown", "dns:gateway.example");
        KeyPairFiles files = new KeyPairFiles(shown.certificate(), shown.key());
        int port = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(files), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(10)));
        gateway.state().reason("loop-lag");
        try (RawClient client = new RawClient(port)) {
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.metrics().closed(Why.OVERLOADED)).isEqualTo(1);
    }
}
