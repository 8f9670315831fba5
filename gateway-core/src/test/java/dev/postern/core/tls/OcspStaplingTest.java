package dev.postern.core.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ManualClock;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.OcspVectors;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.KeyPairFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which OCSP responses clients receive in the handshake. */
@ExtendWith(LeakExtension.class)
class OcspStaplingTest {

    private static final Instant MADE = Instant.parse("2026-11-24T06:00:00Z");

    @TempDir
    private Path folder;

    private final MemoryGateway gateway = new MemoryGateway();
    private final ManualClock clock = new ManualClock(MADE);

    @BeforeEach
    void certificate() {
        OcspVectors.write("chain.crt", folder, "chain.crt");
        OcspVectors.write("site.key", folder, "site.key");
    }

    @BeforeEach
    void serve() {
        gateway.origin();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void response(String vector) {
        OcspVectors.write(vector, folder, "ocsp.der");
    }

    private ServerTls tls(TlsEngine.Kind kind, KeyPairFiles... more) {
        KeyPairFiles stapled =
                new KeyPairFiles(folder.resolve("chain.crt"), folder.resolve("site.key"), folder.resolve("ocsp.der"));
        return new ServerTls(
                new TlsEnvironment(TlsEngine.open(kind), KeyRing::random, clock),
                new ServerTls.Settings(
                        more.length == 0 ? List.of(stapled) : List.of(stapled, more[0]), null, "TLSv1.2"),
                List.of(),
                Duration.ofSeconds(5));
    }

    private List<byte[]> stapled(MemoryListener listener, String version) {
        return OcspVectors.stapled(gateway.connect(listener), version, OcspVectors.bytes("ca.crt"), "localhost");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void staplesTheResponseOfTheFile(String version) {
        response("good.der");
        MemoryListener listener = gateway.listen(tls(TlsEngine.Kind.BORINGSSL));
        assertThat(stapled(listener, version)).containsExactly(OcspVectors.bytes("good.der"));
    }

    @Test
    void staplesOnlyForTheCertificateOfTheName() throws Exception {
        response("good.der");
        TestCertificate other = TestCertificate.ec(folder, "other", "dns:other.example");
        MemoryListener listener =
                gateway.listen(tls(TlsEngine.Kind.BORINGSSL, new KeyPairFiles(other.certificate(), other.key())));
        assertThat(stapled(listener, "TLSv1.3")).hasSize(1);
        assertThat(OcspVectors.stapled(
                        gateway.connect(listener), "TLSv1.3", other.x509().getEncoded(), "other.example"))
                .isEmpty();
    }

    @Test
    void staplesAChangedFileAndEndsWhenTheResponseExpires() throws Exception {
        response("revoked.der");
        ServerTls tls = tls(TlsEngine.Kind.BORINGSSL);
        MemoryListener listener = gateway.listen(tls);
        assertThat(stapled(listener, "TLSv1.3")).as("revoked").isEmpty();
        response("short.der");
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.RENEWED);
        assertThat(stapled(listener, "TLSv1.3")).containsExactly(OcspVectors.bytes("short.der"));
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.SAME);
        clock.advance(Duration.ofDays(2));
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.RENEWED);
        assertThat(stapled(listener, "TLSv1.3")).as("expired").isEmpty();
        Files.delete(folder.resolve("ocsp.der"));
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.SAME);
        response("good.der");
        assertThat(tls.refresh()).isEqualTo(ServerTls.Refresh.RENEWED);
        assertThat(stapled(listener, "TLSv1.3")).containsExactly(OcspVectors.bytes("good.der"));
    }

    @Test
    void theJdksEngineServesWithoutTheResponse() {
        response("good.der");
        MemoryListener listener = gateway.listen(tls(TlsEngine.Kind.JDK));
        assertThat(stapled(listener, "TLSv1.3")).isEmpty();
    }
}
