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
 * TLS of the server side, for one listener. The files can be reloaded in service: new handshakes use the new content, established
 * connections keep the old one. Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ServerTls {

    /**
     * Cipher suites with forward secrecy and authenticated encryption: all of TLS 1.3, and the equivalents of TLS 1.2 (RFC 9325 section
     * 4.2).
     */
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
        // BoringSSL refuses renegotiation by default. The JDK's engine has only this process-wide switch, read at the
        // first server handshake; no server handshake happens before this class is loaded.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final Settings settings;
    private volatile SslContext context;
    private volatile Map<String, Instant> expiries = Map.of();
    private byte[] seen;

    /**
     * Settings of a listener.
     *
     * @param certificates at least one; {@link SniCertificateSelector} chooses among them
     * @param clientCa authorities (PEM), one of which must have issued the client's certificate; null when clients need no certificate
     * @param minVersion {@code TLSv1.2} or {@code TLSv1.3}
     * @param alpn offered protocols, in order of preference; empty for none
     * @param handshake maximum duration of a handshake
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

    /** Result of a check of the files. */
    public enum Refresh {
        SAME,
        /** The content has changed; new handshakes use the new content from now on. */
        RENEWED
    }

    /** Reads the files; throws {@link IllegalArgumentException} with the reason when they cannot be used. */
    public ServerTls(Settings settings) {
        this.settings = settings;
        List<byte[]> files = read();
        this.context = context(files);
        this.seen = fingerprint(files);
    }

    /** Returns whether the other has equal settings and file contents, so that a listener with this one need not change. */
    public synchronized boolean same(ServerTls other) {
        return settings.equals(other.settings) && Arrays.equals(seen, other.seen);
    }

    /** Creates the handler for one connection; the handshake times out after the configured duration. */
    public SslHandler handler(ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeout(settings.handshake().toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    /**
     * Reloads the files if their content has changed. Throws {@link IllegalArgumentException}, once for each content, when the files cannot
     * be used; the previous content then stays in force.
     */
    public synchronized Refresh refresh() {
        List<byte[]> files = read();
        byte[] current = fingerprint(files);
        if (Arrays.equals(current, seen)) {
            return Refresh.SAME;
        }
        seen = current;
        // New context: no session under previous certificates or authorities is resumed.
        context = context(files);
        return Refresh.RENEWED;
    }

    /** Returns all contents: certificate and key of each pair, then the authorities of clients. */
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

    /** Returns the expiry of each certificate in force by name; the earliest for certificates with the same name. */
    public Map<String, Instant> expiries() {
        return expiries;
    }

    private static Map<String, Instant> expiries(List<CertificateAndKey> certificates) {
        Map<String, Instant> all = new TreeMap<>();
        certificates.forEach(one -> all.merge(one.label(), one.expiry(), (a, b) -> a.isBefore(b) ? a : b));
        return Collections.unmodifiableMap(all);
    }

    /** Builds the context for handshakes, and sets {@link #expiries}. */
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

    private static String[] versions(String min) {
        return min.equals("TLSv1.3") ? new String[] {"TLSv1.3"} : new String[] {"TLSv1.3", "TLSv1.2"};
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
