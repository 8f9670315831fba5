package dev.postern.core.tls;

import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.KeyPairFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
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

    private final TlsEnvironment environment;
    private final Settings settings;
    private final List<String> alpn;
    private final Duration handshake;
    private final OcspFiles staples;
    private final ServerNames names = new ServerNames();
    private volatile TlsContext context;
    private volatile Map<String, Instant> expiries = Map.of();
    private byte[] identity = {};
    private byte[] seen;

    /** Settings of a listener, section {@code tls} of it in the configuration; {@link SniCertificateSelector} chooses a certificate. */
    public record Settings(
            @Key(
                    example = "[{certificate-file: tls.crt, private-key-file: tls.key}]",
                    description =
                            "Certificate chains with keys. Selected by exact server name (SNI, read like `Host`), then by"
                                    + " `*.` for its first label, else the first. Changed files are read within 10 s.")
            List<KeyPairFiles> certificates,

            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description = "PEM file of authorities; clients must present a certificate of one of them.")
            @Nullable
            Path clientCaFile,

            @Key(
                    defaultValue = "TLSv1.2",
                    description =
                            "`TLSv1.2` or `TLSv1.3`. TLSv1.2 only with ECDHE and AES-GCM or ChaCha20-Poly1305, without"
                                    + " renegotiation.")
            String minVersion) {

        public Settings {
            certificates = List.copyOf(certificates);
            Checks.of()
                    .that(!certificates.isEmpty(), "certificates", certificates, "at least one certificate")
                    .that(
                            minVersion.equals("TLSv1.2") || minVersion.equals("TLSv1.3"),
                            "min-version",
                            minVersion,
                            "TLSv1.2 | TLSv1.3")
                    .done();
        }
    }

    /** Result of a check of the files. */
    public enum Refresh {
        SAME,
        /** The content has changed; new handshakes use the new content from now on. */
        RENEWED
    }

    /**
     * Reads the files; throws {@link IllegalArgumentException} with the reason when they cannot be used.
     *
     * @param alpn offered protocols, in order of preference; empty for none
     * @param handshake maximum duration of a handshake
     */
    public ServerTls(TlsEnvironment environment, Settings settings, List<String> alpn, Duration handshake) {
        this.environment = environment;
        this.settings = settings;
        this.alpn = List.copyOf(alpn);
        this.handshake = handshake;
        this.staples = new OcspFiles(settings.certificates(), environment);
        ServerFiles files = ServerFiles.read(settings, staples);
        this.context = context(files);
        this.seen = files.fingerprint();
    }

    /** Returns whether the other has equal settings and file contents, so that a listener with this one need not change. */
    public synchronized boolean same(ServerTls other) {
        return settings.equals(other.settings)
                && alpn.equals(other.alpn)
                && handshake.equals(other.handshake)
                && Arrays.equals(seen, other.seen);
    }

    /** Returns whether clients must present a certificate. */
    public boolean requiresCertificates() {
        return settings.clientCaFile() != null;
    }

    /** Creates the handler for one connection; the handshake times out after the configured duration. */
    public ServerNameHandler handler(ByteBufAllocator allocator) {
        SslHandler handler = context.handler(allocator);
        handler.setHandshakeTimeout(handshake.toNanos(), TimeUnit.NANOSECONDS);
        return new ServerNameHandler(names, handler);
    }

    /**
     * Reloads the files if their content has changed. Throws {@link IllegalArgumentException}, once for each content, when the files cannot
     * be used; the previous content then stays in force.
     */
    public synchronized Refresh refresh() {
        ServerFiles files = ServerFiles.read(settings, staples);
        byte[] current = files.fingerprint();
        if (Arrays.equals(current, seen)) {
            return Refresh.SAME;
        }
        seen = current;
        // New context: no session under previous certificates or authorities is resumed.
        context = context(files);
        return Refresh.RENEWED;
    }

    /** Seals session tickets with the ring in force from now on; sessions under other secrets of that ring can still be resumed. */
    public synchronized void rekey() {
        seal(context);
    }

    private void seal(TlsContext sealing) {
        if (environment.engine().isNative()) {
            sealing.tickets(SessionTickets.keys(environment.ring().get(), identity));
        }
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

    /** Builds the context for handshakes, and sets {@link #expiries} and the identity. */
    private TlsContext context(ServerFiles files) {
        List<CertificateAndKey> certificates = files.parsed(settings.certificates());
        try {
            TlsContext built = new ServerContext(environment.engine(), settings.minVersion(), alpn, names)
                    .of(certificates, files.parsedAuthorities());
            identity = files.identity();
            seal(built);
            expiries = expiries(certificates);
            return built;
        } catch (SSLException | IllegalArgumentException e) {
            Path clientCa = settings.clientCaFile();
            throw new IllegalArgumentException((clientCa == null ? "" : clientCa + " ") + e.getMessage(), e);
        }
    }

    /**
     * Session tickets of a listener (RFC 5077, RFC 8446 section 4.6.1): their keys, derived from the key ring, so that all replicas resume each
     * other's sessions. The newest secret seals, all secrets open.
     *
     * <p>The keys also depend on the listener's certificates, private keys and authorities: a session resumes only where its handshake would
     * have had the same result. Otherwise a client could take a session to a listener that requires a certificate.
     */
    private static final class SessionTickets {

        private static final int PART = OpenSslSessionTicketKey.NAME_SIZE;

        private SessionTickets() {}

        /** @param identity digest of what a handshake with the listener depends on */
        static OpenSslSessionTicketKey[] keys(KeyRing ring, byte[] identity) {
            String listener = HexFormat.of().formatHex(identity);
            List<byte[]> names = ring.keys("tls-ticket-name:" + listener);
            List<byte[]> secrets = ring.keys("tls-ticket:" + listener);
            OpenSslSessionTicketKey[] keys = new OpenSslSessionTicketKey[secrets.size()];
            for (int i = 0; i < keys.length; i++) {
                byte[] secret = secrets.get(i);
                keys[i] = new OpenSslSessionTicketKey(
                        Arrays.copyOf(names.get(i), PART),
                        Arrays.copyOf(secret, PART),
                        Arrays.copyOfRange(secret, PART, 2 * PART));
            }
            return keys;
        }
    }
}
