package dev.postern.core.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.Pem;
import dev.postern.core.tls.certificate.PemChecks;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Certificates of connections to Redis with TLS, as values: their use opens no file.
 *
 * @param authorities trusted authorities
 * @param own certificate of the gateway, for servers that request one; null for none
 */
record RedisCertificates(
        TrustManagerFactory authorities, @Nullable CertificateAndKey own) {

    /**
     * Reads the files, and the authorities of Java if there is no file of authorities. Throws {@link IllegalArgumentException} with file and
     * expectation.
     */
    static RedisCertificates read(RedisSettings.@Nullable Tls files) {
        String caFile = files == null ? null : files.caFile();
        String certificate = files == null ? null : files.certificateFile();
        String key = files == null ? null : files.privateKeyFile();
        try {
            return new RedisCertificates(
                    trust(caFile == null ? null : PemChecks.authorities(Path.of(caFile))),
                    certificate == null || key == null ? null : own(certificate, key));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("redis.tls: " + e.getMessage(), e);
        }
    }

    private static CertificateAndKey own(String certificate, String key) {
        byte[] chain = Pem.read(Path.of(certificate));
        byte[] secret = Pem.read(Path.of(key));
        try {
            return CertificateAndKey.of(chain, secret);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(certificate + " and " + key + " " + e.getMessage(), e);
        }
    }

    /** @param authorities null for those of Java */
    private static TrustManagerFactory trust(@Nullable List<X509Certificate> authorities) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities == null ? null : store(authorities));
            return trust;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("no authorities (expected: those of ca-file, or of Java)", e);
        }
    }

    private static KeyStore store(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority" + i, authorities.get(i));
        }
        return store;
    }

    void applyTo(SslContextBuilder builder) {
        builder.trustManager(authorities);
        if (own != null) {
            builder.keyManager(own.key(), own.chain());
        }
    }
}
