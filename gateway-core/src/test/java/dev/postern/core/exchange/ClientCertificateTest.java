package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.testing.TestCertificate;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how a client's certificate is written into fields. */
class ClientCertificateTest {

    @TempDir
    private static Path folder;

    /** A subject may contain any character, and a field value only some. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=alice, O=Example | CN=alice,O=Example",
                "CN=Zo\u00eb | CN=Zo\\C3\\AB",
                "CN=\"a, b\" | CN=a\\, b",
                "CN=\u5c71 | CN=\\E5\\B1\\B1",
                "CN=a\u0001b | CN=a\\01b",
            })
    void theSubjectIsVisibleAscii(String subject, String expected) {
        assertThat(ClientCertificate.subject(new X500Principal(subject))).isEqualTo(expected);
    }

    @Test
    void theFingerprintIsThatOfTheWholeCertificate() throws Exception {
        TestCertificate certificate = TestCertificate.ec(folder, "client", "dns:client.example");
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(certificate.x509().getEncoded());
        assertThat(ClientCertificate.of(certificate.x509()))
                .isEqualTo(new ClientCertificate("CN=postern", HexFormat.of().formatHex(digest)));
    }

    @Test
    void aConnectionReadsItsCertificateOnce() {
        TestCertificate certificate = TestCertificate.ec(folder, "client", "dns:client.example");
        AtomicInteger reads = new AtomicInteger();
        ClientConnection client = TestExchanges.client(
                TestExchanges.address("192.0.2.1"),
                TestExchanges.UNTRUSTED.listener().trustedProxies());
        assertThat(client.certificate()).isNull();
        client.certificates(() -> reads.getAndIncrement() == 0 ? null : certificate.x509());
        assertThat(client.certificate()).as("before the handshake").isNull();
        assertThat(client.certificate()).isNotNull().isSameAs(client.certificate());
        assertThat(reads).hasValue(2);
    }
}
