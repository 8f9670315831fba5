package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.MemoryOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what clients observe while the gateway sheds load. */
@ExtendWith(LeakExtension.class)
class LoadShedStateTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryOrigin origin = gateway.origin();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void newExchangesAreRefusedAndConnectionsKept() {
        try (RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            gateway.shedding().reason("heap");
            Response refused = client.get("/");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"overloaded\"").contains("\"blame\":\"gateway\"");
            gateway.shedding().reason("");
            assertThat(client.get("/").status()).isEqualTo(200);
        }
        assertThat(origin.received()).hasSize(2);
        assertThat(gateway.ended().get(1).outcome().reason()).isEqualTo("heap");
    }

    @Test
    void refusalsHaveDifferentRetryDelays() {
        gateway.shedding().reason("loop-lag");
        Set<Integer> seconds = new TreeSet<>();
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 100; i++) {
                seconds.add(Integer.parseInt(client.get("/").field("Retry-After")));
            }
        }
        assertThat(seconds).hasSizeGreaterThan(3).allMatch(s -> s >= 2 && s <= 9);
    }

    @Test
    void refusesOverHttp2Too() {
        gateway.shedding().reason("heap");
        try (FrameClient client = gateway.client2()) {
            client.get(1, "/");
            assertThat(client.response(1).status()).isEqualTo("503");
        }
    }

    @Test
    void openExchangesContinue() {
        try (RawClient tunnel = gateway.forwardClient();
                RawClient upload = gateway.client()) {
            tunnel.send("CONNECT 127.0.0.1:8080 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n");
            assertThat(tunnel.readConnect().status()).isEqualTo(200);
            upload.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na");
            assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                    .isEqualTo(1);
            gateway.shedding().reason("heap");
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
        MemoryListener listener = gateway.listen(new ServerTls(
                TestTls.environment(engine),
                new ServerTls.Settings(List.of(files), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(10)));
        gateway.shedding().reason("loop-lag");
        try (RawClient client = RawClient.over(gateway.connect(listener))) {
            assertThat(client.closedByPeer()).isTrue();
        }
        assertThat(gateway.metrics().closed(Why.OVERLOADED)).isEqualTo(1);
    }
}
