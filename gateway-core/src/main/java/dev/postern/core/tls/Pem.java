package dev.postern.core.tls;

import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** Netty's readers of PEM, which it gives to its own contexts only. Never made. */
abstract class Pem extends SslContext {

    private Pem() {}

    /** A small file's content; throws {@link IllegalArgumentException} when it can't be read. */
    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " (expected: a file that can be read)", e);
        }
    }

    /** The certificates of a file, in its order; throws {@link IllegalArgumentException} when there are none. */
    static X509Certificate[] certificates(byte[] content) {
        try {
            return toX509Certificates(new ByteArrayInputStream(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("(expected: certificates in PEM)", e);
        }
    }

    /** The key of a file; throws {@link IllegalArgumentException} when there is none that can be read without a password. */
    static PrivateKey key(byte[] content) {
        try {
            PrivateKey key = toPrivateKey(new ByteArrayInputStream(content), null);
            if (key != null) {
                return key;
            }
        } catch (GeneralSecurityException | IOException e) {
            // the message says nothing of the key
        }
        throw new IllegalArgumentException("(expected: a private key in PEM, PKCS#8, without a password)");
    }
}
