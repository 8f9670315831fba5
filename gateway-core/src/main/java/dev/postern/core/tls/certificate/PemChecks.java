package dev.postern.core.tls.certificate;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** PEM checks: whether files can be used, without using them; all throw {@link IllegalArgumentException} with file and expectation. */
public final class PemChecks {

    private PemChecks() {}

    /** Checks a certificate chain and the key of its first certificate; returns the chain. */
    public static List<X509Certificate> pair(Path certificate, Path key) {
        byte[] chain = Pem.read(certificate);
        byte[] secret = Pem.read(key);
        try {
            return List.of(CertificateAndKey.of(chain, secret).chain());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(certificate + " and " + key + " " + e.getMessage(), e);
        }
    }

    /** Returns the DNS names of a certificate, in lower case; a name may begin with {@code *.}. */
    public static List<String> names(X509Certificate certificate) {
        return CertificateAndKey.names(certificate);
    }

    /** Checks that an OCSP response is good for the first certificate of a chain at that time. */
    public static void ocsp(Path certificate, Path response, Instant time) {
        OcspResponse.check(Pem.read(response), Pem.certificates(Pem.read(certificate)), time);
    }

    /** Returns the key managers of a client with that certificate chain and key. */
    public static KeyManager[] keyManagers(Path certificate, Path key) throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = pair(certificate, key);
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setKeyEntry("own", Pem.key(Pem.read(key)), new char[0], chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    /** Checks and returns the certificates of authorities. */
    public static List<X509Certificate> authorities(Path file) {
        byte[] content = Pem.read(file);
        try {
            return List.of(Pem.certificates(content));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " " + e.getMessage(), e);
        }
    }
}
