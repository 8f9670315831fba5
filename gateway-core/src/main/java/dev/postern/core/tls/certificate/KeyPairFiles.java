package dev.postern.core.tls.certificate;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Key pair files: the paths of a certificate chain, its private key and its OCSP response.
 *
 * @param certificate PEM of the chain, leaf first
 * @param key PEM of the leaf's key
 * @param ocsp DER of an OCSP response for the leaf; null for none
 */
public record KeyPairFiles(
        Path certificate, Path key, @Nullable Path ocsp) {

    /** Creates the paths of a pair without OCSP response. */
    public KeyPairFiles(Path certificate, Path key) {
        this(certificate, key, null);
    }
}
