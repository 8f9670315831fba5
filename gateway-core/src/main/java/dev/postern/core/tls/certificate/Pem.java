package dev.postern.core.tls.certificate;

import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/** PEM readers of Netty, which are accessible to subclasses of its contexts only. Never instantiated. */
public abstract class Pem extends SslContext {

    private Pem() {}

    /** Returns the content of a small file; throws {@link IllegalArgumentException} when the file cannot be read. */
    public static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " (expected: a file that can be read)", e);
        }
    }

    /** Returns the certificates of a file, in its order; throws {@link IllegalArgumentException} without any certificate. */
    public static X509Certificate[] certificates(byte[] content) {
        try {
            return toX509Certificates(new ByteArrayInputStream(content));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("(expected: certificates in PEM)", e);
        }
    }

    /** Returns the key of a file; throws {@link IllegalArgumentException} without a key that is readable without a password. */
    public static PrivateKey key(byte[] content) {
        try {
            PrivateKey key = toPrivateKey(new ByteArrayInputStream(content), null);
            if (key != null) {
                return key;
            }
        } catch (GeneralSecurityException | IOException e) {
            // the message contains nothing of the key
        }
        throw new IllegalArgumentException("(expected: a private key in PEM, without a password)");
    }
}
