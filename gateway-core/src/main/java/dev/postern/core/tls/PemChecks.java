package dev.postern.core.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

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
