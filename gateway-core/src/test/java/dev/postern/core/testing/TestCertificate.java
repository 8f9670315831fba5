package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Certificate, by default self-signed, and its key, stored in two PEM files.
 *
 * @param certificate PEM
 * @param key PEM, PKCS#8
 */
public record TestCertificate(Path certificate, Path key, X509Certificate x509, PrivateKey secret) {

    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Makes a certificate with an EC key; names are {@code dns:...} or {@code ip:...}. Files are {@code file.crt} and {@code file.key}. */
    public static TestCertificate ec(Path folder, String file, String... names) {
        return make(folder, file, "EC", Instant.now(), names);
    }

    /** Makes a certificate with an EC key that expired three weeks ago. */
    public static TestCertificate expired(Path folder, String file, String... names) {
        return make(folder, file, "EC", Instant.now().minus(Duration.ofDays(51)), names);
    }

    /** Makes a certificate with an RSA key. */
    public static TestCertificate rsa(Path folder, String file, String... names) {
        return make(folder, file, "RSA", Instant.now(), names);
    }

    /**
     * Makes a certificate that another one signs, with an EC key.
     *
     * @param file its CN, too
     */
    public TestCertificate signs(Path folder, String file, String... names) {
        String issuer = x509.getSubjectX500Principal().getName().replace("CN=", "");
        return made(
                folder,
                file,
                "EC",
                pair -> SelfSigned.certificate(
                        pair, Instant.now(), List.of(names), file, new SelfSigned.Issuer(issuer, secret)));
    }

    private static TestCertificate make(Path folder, String file, String algorithm, Instant from, String... names) {
        return made(folder, file, algorithm, pair -> SelfSigned.certificate(pair, from, List.of(names)));
    }

    /** Signature of a certificate for a new key. */
    private interface Signing {
        X509Certificate certificate(KeyPair pair) throws GeneralSecurityException;
    }

    private static TestCertificate made(Path folder, String file, String algorithm, Signing signing) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(algorithm.equals("EC") ? 256 : 2048);
            KeyPair pair = generator.generateKeyPair();
            Path certificate = folder.resolve(file + ".crt");
            Path key = folder.resolve(file + ".key");
            X509Certificate x509 = signing.certificate(pair);
            pem(certificate, "CERTIFICATE", x509.getEncoded());
            pem(key, "PRIVATE KEY", pair.getPrivate().getEncoded());
            return new TestCertificate(certificate, key, x509, pair.getPrivate());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate", e);
        }
    }

    private static void pem(Path file, String label, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content);
        Files.writeString(file, "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n");
    }

    /** Moves this certificate and key over the files of the other, as a renewal does. */
    public void replace(TestCertificate other) {
        try {
            Files.copy(certificate, other.certificate, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(key, other.key, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IllegalStateException("cannot copy", e);
        }
    }

    /**
     * Creates the TLS context of a peer.
     *
     * @param own its certificate, or null for none
     * @param trusted the certificates that it trusts
     */
    public static SSLContext context(@Nullable TestCertificate own, TestCertificate... trusted) {
        try {
            KeyStore trust = empty();
            for (int i = 0; i < trusted.length; i++) {
                trust.setCertificateEntry("t" + i, trusted[i].x509);
            }
            TrustManagerFactory believing = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            believing.init(trust);
            KeyManagerFactory showing = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            KeyStore keys = empty();
            if (own != null) {
                keys.setKeyEntry("own", own.secret, PASSWORD, new X509Certificate[] {own.x509});
            }
            showing.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(showing.getKeyManagers(), believing.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no context", e);
        }
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
