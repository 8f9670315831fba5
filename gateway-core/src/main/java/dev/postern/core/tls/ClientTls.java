package dev.postern.core.tls;

import dev.postern.core.config.Checks;
import dev.postern.core.config.FileKind;
import dev.postern.core.config.Key;
import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.Pem;
import dev.postern.core.tls.certificate.ServerIdentity;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the client side, towards the endpoints of one upstream. Each endpoint must present a certificate chain to a trusted authority,
 * with the expected name or address (RFC 9525). Sessions are resumed. The files can be reloaded: new connections use the new content.
 * Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ClientTls {

    private final TlsEngine engine;
    private final Settings settings;
    private final @Nullable String serverName;
    private final String protocol;
    private volatile ClientContext context;
    private volatile byte[] seen;

    /** Settings of an upstream, section {@code tls} of it in the configuration. */
    public record Settings(
            @Key(
                    defaultValue = "null",
                    description = "Name for SNI and certificate check; default: the name in `host`, else that of each"
                            + " endpoint.")
            @Nullable
            String serverName,

            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description = "PEM file of trusted authorities; default: those of Java.")
            @Nullable
            Path caFile,

            @Key(
                    defaultValue = "null",
                    file = FileKind.READABLE,
                    description =
                            "PEM file of the gateway's own certificate chain, for servers that request one, leaf first."
                                    + " Changed files are read within 10 s.")
            @Nullable
            Path certificateFile,

            @Key(
                    defaultValue = "null",
                    file = FileKind.SECRET,
                    description = "PEM file of its key (PKCS#8, PKCS#1 or SEC 1), without a password.")
            @Nullable
            Path privateKeyFile) {

        private static final String SERVER_NAME =
                "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*";

        public Settings {
            Checks.of()
                    .that(
                            serverName == null || serverName.matches(SERVER_NAME),
                            "server-name",
                            serverName + "",
                            "a name such as app.example, or an IPv4 address")
                    .pair(certificateFile, privateKeyFile)
                    .done();
        }
    }

    /**
     * Reads the files; throws {@link IllegalArgumentException} with the reason when they cannot be used.
     *
     * @param host the name of every server where the settings have none; null for the host of each endpoint
     * @param protocol the protocol that the server must select by ALPN (RFC 7301); empty for no ALPN
     */
    public ClientTls(TlsEngine engine, Settings settings, @Nullable String host, String protocol) {
        this.engine = engine;
        this.settings = settings;
        this.serverName = settings.serverName() == null ? host : settings.serverName();
        this.protocol = protocol;
        ClientFiles files = ClientFiles.read(settings);
        this.context = context(files);
        this.seen = files.fingerprint();
    }

    /** Reads the files likewise; the servers have the names of their endpoints where the settings have none. */
    public ClientTls(TlsEngine engine, Settings settings, String protocol) {
        this(engine, settings, null, protocol);
    }

    /** Contents of the files, as read at one time. */
    private record ClientFiles(byte @Nullable [] authorities, byte @Nullable [] certificate, byte @Nullable [] key) {

        static ClientFiles read(Settings settings) {
            return new ClientFiles(
                    content("ca-file", settings.caFile()),
                    content("certificate-file", settings.certificateFile()),
                    content("private-key-file", settings.privateKeyFile()));
        }

        private static byte @Nullable [] content(String setting, @Nullable Path file) {
            try {
                return file == null ? null : Pem.read(file);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(setting + ": " + e.getMessage(), e);
            }
        }

        byte[] fingerprint() {
            return ServerFiles.digest(List.of(orNothing(authorities), orNothing(certificate), orNothing(key)));
        }

        private static byte[] orNothing(byte @Nullable [] content) {
            return content == null ? new byte[0] : content;
        }
    }

    private ClientContext context(ClientFiles files) {
        Path caFile = settings.caFile();
        X509Certificate[] authorities = null;
        if (files.authorities() != null) {
            try {
                authorities = Pem.certificates(files.authorities());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("ca-file: " + caFile + ": " + e.getMessage(), e);
            }
        }
        try {
            return new ClientContext(engine, authorities, own(files), protocol);
        } catch (SSLException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private @Nullable CertificateAndKey own(ClientFiles files) {
        if (files.certificate() == null || files.key() == null) {
            return null;
        }
        try {
            return CertificateAndKey.of(files.certificate(), files.key());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "certificate-file: " + settings.certificateFile() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reloads the files if their content has changed. Throws {@link IllegalArgumentException}, once for each content, when the files cannot
     * be used; the previous content then stays in force.
     */
    public ServerTls.Refresh refresh() {
        ClientFiles files = ClientFiles.read(settings);
        byte[] current = files.fingerprint();
        if (Arrays.equals(current, seen)) {
            return ServerTls.Refresh.SAME;
        }
        seen = current;
        context = context(files); // new context: no session under the previous files is resumed
        return ServerTls.Refresh.RENEWED;
    }

    /** Returns whether both trust the same servers and prove the same identity; null means no TLS and equals only null. */
    public static boolean same(@Nullable ClientTls one, @Nullable ClientTls other) {
        if (one == null || other == null) {
            return one == other;
        }
        return Objects.equals(one.serverName, other.serverName)
                && one.protocol.equals(other.protocol)
                && Arrays.equals(one.seen, other.seen);
    }

    /** Creates the handler for one connection; the handshake begins when the handler is added, and times out after {@code handshake}. */
    public SslHandler handler(ByteBufAllocator allocator, SocketAddress endpoint, Duration handshake) {
        int port = endpoint instanceof InetSocketAddress address ? address.getPort() : 0;
        SslHandler handler = context.handler(allocator, identity(endpoint), port);
        handler.setHandshakeTimeout(handshake.toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    private ServerIdentity identity(SocketAddress endpoint) {
        String host = serverName;
        if (host == null) {
            host = endpoint instanceof InetSocketAddress address ? address.getHostString() : "";
        }
        return ServerIdentity.of(host);
    }

    /** Returns the protocol that the server must select by ALPN; empty for none. */
    public String protocol() {
        return protocol;
    }

    /**
     * Returns what is wrong with a server after its handshake, which the engine does not check: its name, or the protocol that it selected;
     * null for nothing. Until then nothing may be sent.
     */
    public @Nullable SSLException fault(SslHandler shaken, SocketAddress endpoint) {
        try {
            identity(endpoint).require(shaken.engine().getSession());
        } catch (SSLPeerUnverifiedException e) {
            return e;
        }
        boolean agreed = protocol.isEmpty() || protocol.equals(shaken.applicationProtocol());
        return agreed ? null : new SSLException("no " + protocol + " by ALPN");
    }
}
