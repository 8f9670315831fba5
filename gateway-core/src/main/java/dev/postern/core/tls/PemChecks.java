package dev.postern.core.tls;

import java.nio.file.Path;

/** Whether files would do, before anything is made of them; all throw {@link IllegalArgumentException} that names the file and what is expected. */
public final class PemChecks {

    private PemChecks() {}

    /** A certificate chain and the key of its first certificate. */
    public static void pair(Path certificate, Path key) {
        byte[] chain = Pem.read(certificate);
        byte[] secret = Pem.read(key);
        try {
            ServedCertificate.of(chain, secret);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(certificate + " and " + key + " " + e.getMessage(), e);
        }
    }

    /** Certificates of authorities. */
    public static void authorities(Path file) {
        byte[] content = Pem.read(file);
        try {
            Pem.certificates(content);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " " + e.getMessage(), e);
        }
    }
}
