package dev.postern.core.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Identity in the certificate that a client presented in its TLS handshake, as values of fields.
 *
 * @param subject distinguished name by RFC 2253; other characters than visible ASCII as bytes of UTF-8, such as {@code \C3\A9}
 * @param fingerprint SHA-256 of the certificate, in hexadecimal digits
 */
public record ClientCertificate(String subject, String fingerprint) {

    /** Source of the certificate of a connection. */
    @FunctionalInterface
    public interface Source {

        /** Returns the verified certificate; null before the end of the handshake, and without one. */
        @Nullable
        X509Certificate certificate();
    }

    static ClientCertificate of(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return new ClientCertificate(
                    subject(certificate.getSubjectX500Principal()),
                    HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("every Java has SHA-256, and a certificate of a handshake has bytes", e);
        }
    }

    static String subject(X500Principal principal) {
        String name = principal.getName();
        StringBuilder visible = new StringBuilder(name.length());
        for (byte octet : name.getBytes(UTF_8)) {
            if (octet >= ' ' && octet <= '~') {
                visible.append((char) octet);
            } else {
                visible.append(String.format("\\%02X", octet & 0xff));
            }
        }
        return visible.toString();
    }
}
