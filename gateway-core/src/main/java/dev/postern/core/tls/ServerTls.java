package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
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

    private final TlsEngine engine;
    private final Settings settings;
    private volatile TlsContext context;
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
    public ServerTls(TlsEngine engine, Settings settings) {
        this.engine = engine;
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
        SslHandler handler = context.handler(allocator);
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
    private TlsContext context(List<byte[]> files) {
        List<CertificateAndKey> certificates = new ArrayList<>();
        for (int i = 0; i < settings.certificates().size(); i++) {
            try {
                certificates.add(CertificateAndKey.of(files.get(2 * i), files.get(2 * i + 1)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        settings.certificates().get(i).certificate() + " " + e.getMessage(), e);
            }
        }
        Path clientCa = settings.clientCa();
        try {
            X509Certificate[] authorities = clientCa == null ? null : Pem.certificates(files.get(files.size() - 1));
            TlsContext built =
                    new ServerContext(engine, settings.minVersion(), settings.alpn()).of(certificates, authorities);
            expiries = expiries(certificates);
            return built;
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException((clientCa == null ? "" : clientCa + " ") + e.getMessage(), e);
        }
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
