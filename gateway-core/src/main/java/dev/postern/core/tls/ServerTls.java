package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one listener. Its files can be read again while it serves: new handshakes use what they hold then, connections that stand stay as
 * they are. Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ServerTls {

    /** Keys that are forgotten, and encryption that authenticates: all of TLS 1.3, and the same of TLS 1.2 (RFC 9325 section 4.2). */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    static {
        // BoringSSL refuses it by itself. The JDK's engine knows no other switch than this one for the process, read at
        // the first handshake of a server, of which there is none before those of this class.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final Settings settings;
    private volatile SslContext context;
    private volatile Map<String, Instant> expiries = Map.of();
    private byte[] seen;

    /**
     * What a listener serves with.
     *
     * @param certificates at least one; see {@link SniCertificateSelector} for which is shown
     * @param clientCa clients must show a certificate that one of these issued (PEM); null when they need none
     * @param minVersion {@code TLSv1.2} or {@code TLSv1.3}
     * @param alpn protocols that are offered, the best first; empty for none
     * @param handshake how long a handshake may take
     */
    public record Settings(
            List<KeyPairFiles> certificates,
            @Nullable Path clientCa,
            String minVersion,
            List<String> alpn,
            Duration handshake) {

        public Settings {
            certificates = List.copyOf(certificates);
            alpn = List.copyOf(alpn);
        }
    }

    /** What another look at the files found. */
    public enum Look {
        SAME,
        /** Others, which new handshakes use from now on. */
        RENEWED
    }

    /** Reads the files; throws {@link IllegalArgumentException} with what is wrong with them. */
    public ServerTls(Settings settings) {
        this.settings = settings;
        List<byte[]> files = read();
        this.context = context(files);
        this.seen = fingerprint(files);
    }

    /** Whether that one was made of the same settings and the same contents of files: then whoever has this one need not change. */
    public synchronized boolean same(ServerTls other) {
        return settings.equals(other.settings) && Arrays.equals(seen, other.seen);
    }

    /** For one connection; decrypts, and gives up when the handshake takes too long. */
    public SslHandler handler(ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeout(settings.handshake().toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    /**
     * Looks whether the files hold something else than last time. Throws {@link IllegalArgumentException}, once for each content, when it
     * can't be used; what was in force stays.
     */
    public synchronized Look refresh() {
        List<byte[]> files = read();
        byte[] current = fingerprint(files);
        if (Arrays.equals(current, seen)) {
            return Look.SAME;
        }
        seen = current;
        // A whole new context: nobody resumes a session that began under certificates or authorities of before.
        context = context(files);
        return Look.RENEWED;
    }

    /** All contents: certificate and key of each pair, then the authorities of clients. */
    private List<byte[]> read() {
        List<byte[]> files = new ArrayList<>();
        for (KeyPairFiles pair : settings.certificates()) {
            files.add(Pem.read(pair.certificate()));
            files.add(Pem.read(pair.key()));
        }
        Path clientCa = settings.clientCa();
        if (clientCa != null) {
            files.add(Pem.read(clientCa));
        }
        return files;
    }

    /** When each certificate in force expires, by its name; of several with one name the first. */
    public Map<String, Instant> expiries() {
        return expiries;
    }

    private static Map<String, Instant> expiries(List<CertificateAndKey> certificates) {
        Map<String, Instant> all = new TreeMap<>();
        certificates.forEach(one -> all.merge(one.label(), one.expiry(), (a, b) -> a.isBefore(b) ? a : b));
        return Collections.unmodifiableMap(all);
    }

    /** All that handshakes are about. */
    private SslContext context(List<byte[]> files) {
        List<CertificateAndKey> certificates = new ArrayList<>();
        for (int i = 0; i < settings.certificates().size(); i++) {
            try {
                certificates.add(CertificateAndKey.of(files.get(2 * i), files.get(2 * i + 1)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        settings.certificates().get(i).certificate() + " " + e.getMessage(), e);
            }
        }
        SslContextBuilder builder = SslContextBuilder.forServer(new SniKeyManager(certificates))
                .protocols(versions(settings.minVersion()))
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE);
        if (!settings.alpn().isEmpty()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    settings.alpn()));
        }
        Path clientCa = settings.clientCa();
        try {
            if (clientCa != null) {
                builder.trustManager(Pem.certificates(files.get(files.size() - 1)))
                        .clientAuth(ClientAuth.REQUIRE);
            }
            SslContext built = builder.build();
            expiries = expiries(certificates);
            return built;
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException((clientCa == null ? "" : clientCa + " ") + e.getMessage(), e);
        }
    }

    private static String[] versions(String least) {
        return least.equals("TLSv1.3") ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.3", "TLSv1.2"};
    }

    private static byte[] fingerprint(List<byte[]> files) {
        try {
            MessageDigest whole = MessageDigest.getInstance("SHA-256");
            MessageDigest each = MessageDigest.getInstance("SHA-256");
            files.forEach(file -> whole.update(each.digest(file)));
            return whole.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
