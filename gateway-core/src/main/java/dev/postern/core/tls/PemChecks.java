package dev.postern.core.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/** Whether files would do, before anything is made of them; all throw {@link IllegalArgumentException} that names the file and what is expected. */
public final class PemChecks {

    private PemChecks() {}

    /** A certificate chain, which is returned, and the key of its first certificate. */
    public static List<X509Certificate> pair(Path certificate, Path key) {
        byte[] chain = Pem.read(certificate);
        byte[] secret = Pem.read(key);
        try {
            return List.of(CertificateAndKey.of(chain, secret).chain());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(certificate + " and " + key + " " + e.getMessage(), e);
        }
    }

    /** Certificates of authorities, which are returned. */
    public static List<X509Certificate> authorities(Path file) {
        byte[] content = Pem.read(file);
        try {
            return List.of(Pem.certificates(content));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " " + e.getMessage(), e);
        }
    }
}
