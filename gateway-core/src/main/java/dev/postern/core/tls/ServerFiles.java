package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.KeyPairFiles;
import dev.postern.core.tls.certificate.Pem;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contents of the files of a listener, as read at one time.
 *
 * @param certificates PEM of each chain
 * @param keys PEM of each chain's key
 * @param staples OCSP response of each chain in force; empty for none
 * @param authorities PEM of the authorities of clients; null when clients need no certificate
 */
record ServerFiles(List<byte[]> certificates, List<byte[]> keys, List<byte[]> staples, byte @Nullable [] authorities) {

    /** Reads the files; throws {@link IllegalArgumentException} with the reason when one cannot be read. */
    static ServerFiles read(ServerTls.Settings settings, OcspFiles staples) {
        List<byte[]> certificates = new ArrayList<>();
        List<byte[]> keys = new ArrayList<>();
        for (KeyPairFiles pair : settings.certificates()) {
            certificates.add(Pem.read(pair.certificate()));
            keys.add(Pem.read(pair.key()));
        }
        return new ServerFiles(
                certificates,
                keys,
                staples.read(certificates),
                settings.clientCaFile() == null ? null : Pem.read(settings.clientCaFile()));
    }

    /** Parses the certificates; throws {@link IllegalArgumentException} with the file and the reason. */
    List<CertificateAndKey> parsed(List<KeyPairFiles> names) {
        List<CertificateAndKey> parsed = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            try {
                parsed.add(
                        CertificateAndKey.of(certificates.get(i), keys.get(i)).with(staples.get(i)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(names.get(i).certificate() + " " + e.getMessage(), e);
            }
        }
        return parsed;
    }

    /** Parses the authorities of clients; null when clients need no certificate. */
    X509Certificate @Nullable [] parsedAuthorities() {
        return authorities == null ? null : Pem.certificates(authorities);
    }

    /** Returns a digest of all contents. */
    byte[] fingerprint() {
        return digest(List.of(identity(), digest(staples)));
    }

    /** Returns a digest of the contents that decide who the listener is and which clients it accepts. */
    byte[] identity() {
        return digest(List.of(
                digest(certificates), digest(keys), authorities == null ? new byte[0] : digest(List.of(authorities))));
    }

    /** Returns a digest of the contents in their order. */
    static byte[] digest(List<byte[]> contents) {
        try {
            MessageDigest whole = MessageDigest.getInstance("SHA-256");
            MessageDigest each = MessageDigest.getInstance("SHA-256");
            contents.forEach(content -> whole.update(each.digest(content)));
            return whole.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
