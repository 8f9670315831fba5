package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.TestCertificate;
import dev.postern.core.tls.certificate.PemChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the forms of private keys that the descriptions of the keys name: certificate authorities and openssl write all of them. */
class KeyFormatsTest {

    @TempDir
    private Path folder;

    private TestCertificate rsa;
    private TestCertificate ec;

    @BeforeEach
    void certificates() {
        rsa = TestCertificate.rsa(folder, "rsa", "dns:site.example");
        ec = TestCertificate.ec(folder, "ec", "dns:site.example");
    }

    private Path pem(String label, byte[] content) throws IOException {
        return Files.writeString(
                folder.resolve("other.key"),
                "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END "
                        + label + "-----\n");
    }

    @Test
    void readsPkcs8() {
        assertThat(PemChecks.pair(rsa.certificate(), rsa.key())).hasSize(1);
        assertThat(PemChecks.pair(ec.certificate(), ec.key())).hasSize(1);
    }

    @Test
    void readsPkcs1() throws IOException {
        byte[] content = PrivateKeyInfo.getInstance(rsa.secret().getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();

        assertThat(PemChecks.pair(rsa.certificate(), pem("RSA PRIVATE KEY", content)))
                .hasSize(1);
    }

    @Test
    void readsSec1() throws IOException {
        byte[] content = new org.bouncycastle.asn1.sec.ECPrivateKey(
                        256,
                        ((ECPrivateKey) ec.secret()).getS(),
                        SubjectPublicKeyInfo.getInstance(
                                        ec.x509().getPublicKey().getEncoded())
                                .getPublicKeyData(),
                        SECObjectIdentifiers.secp256r1)
                .getEncoded();

        assertThat(PemChecks.pair(ec.certificate(), pem("EC PRIVATE KEY", content)))
                .hasSize(1);
    }

    @Test
    void refusesAKeyWithAPassword() throws IOException, GeneralSecurityException {
        String algorithm = "PBEWithSHA1AndDESede";
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec("changeit".toCharArray())));
        byte[] encrypted = cipher.doFinal(rsa.secret().getEncoded());
        Path key = pem(
                "ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(cipher.getParameters(), encrypted).getEncoded());

        assertThatThrownBy(() -> PemChecks.pair(rsa.certificate(), key))
                .hasMessageEndingWith("(expected: a private key in PEM, without a password)");
    }
}
