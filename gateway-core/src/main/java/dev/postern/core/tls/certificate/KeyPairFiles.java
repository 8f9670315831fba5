package dev.postern.core.tls.certificate;

import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files of a certificate chain, its private key and its OCSP response: an element of {@code listeners[].tls.certificates} of the configuration. */
public record KeyPairFiles(
        @Key(
                name = "certificate-file",
                example = "tls.crt",
                file = FileKind.READABLE,
                description = "PEM file of the chain, leaf first.")
        Path certificate,

        @Key(
                name = "private-key-file",
                example = "tls.key",
                file = FileKind.SECRET,
                description = "PEM file of the key (PKCS#8, PKCS#1 or SEC 1), without a password.")
        Path key,

        @Key(
                name = "ocsp-file",
                defaultValue = "null",
                file = FileKind.PATH,
                needs = "transport.tls-engine: auto | boringssl",
                description =
                        "File with an OCSP response for the certificate (DER), stapled while it is good; the chain must"
                                + " contain the issuer.")
        @Nullable
        Path ocsp) {

    /** Creates the files of a pair without OCSP response. */
    public KeyPairFiles(Path certificate, Path key) {
        this(certificate, key, null);
    }
}
