package dev.postern.core.tls.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.TestCertificate;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateChainTest {

    @TempDir
    private static Path folder;

    private static TestCertificate root;
    private static TestCertificate middle;
    private static TestCertificate renewed;
    private static TestCertificate leaf;

    @BeforeAll
    static void certificates() {
        root = TestCertificate.ec(folder, "root", "dns:root.example");
        middle = root.signs(folder, "middle", "dns:middle.example");
        leaf = middle.signs(folder, "leaf", "dns:a.example");
        renewed = root.signs(folder, "middle", "dns:middle.example"); // another key under the same name
    }

    private static CertificateChain chain(TestCertificate... certificates) {
        X509Certificate[] all =
                Stream.of(certificates).map(TestCertificate::x509).toArray(X509Certificate[]::new);
        return new CertificateChain(List.of(all));
    }

    private static CertificateChain.Fault fault(TestCertificate... certificates) {
        return Objects.requireNonNull(chain(certificates).fault());
    }

    @Test
    void acceptsWhatEachNextCertificateSigned() {
        assertThat(chain(leaf, middle, root).fault()).isNull();
        assertThat(chain(leaf, middle).fault()).isNull();
        assertThat(chain(leaf).fault()).isNull();
        assertThat(chain(root).fault()).isNull();
    }

    @Test
    void findsAnIntermediateThatDidNotSign() {
        assertThat(fault(leaf, root))
                .isEqualTo(new CertificateChain.Fault(
                        true, "CN=postern did not sign CN=leaf (expected: the certificate of CN=middle, which did)"));
    }

    @Test
    void findsAnotherKeyUnderTheSameName() {
        assertThat(fault(leaf, renewed, root).broken()).isTrue();
        assertThat(fault(leaf, renewed, root).text()).startsWith("CN=middle did not sign CN=leaf ");
    }

    @Test
    void findsAnotherOrder() {
        assertThat(fault(leaf, root, middle))
                .isEqualTo(new CertificateChain.Fault(
                        false, "not in order; put each certificate before the one that signed it"));
    }

    @Test
    void findsCertificatesThatSignedNone() {
        TestCertificate other = TestCertificate.ec(folder, "other", "dns:other.example");
        assertThat(fault(leaf, middle, leaf).broken()).isFalse();
        assertThat(fault(leaf, middle, leaf).text())
                .isEqualTo("CN=leaf signed none of the certificates before it; remove it");
        assertThat(fault(other, middle).broken()).isFalse();
    }
}
