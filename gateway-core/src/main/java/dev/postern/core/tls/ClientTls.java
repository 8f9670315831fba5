package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the client side, towards the endpoints of one upstream. Each endpoint must present a certificate chain to a trusted authority,
 * with the expected name or address (RFC 9525). Sessions are resumed. The file of authorities can be reloaded: new connections use the new
 * authorities. Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ClientTls {

    private final TlsEngine engine;
    private final @Nullable String serverName;
    private final @Nullable Path caFile;
    private final String protocol;
    private volatile ClientContext context;
    private volatile byte[] seen;

    /**
     * Throws {@link IllegalArgumentException} when the file cannot be used.
     *
     * @param serverName the name that certificates must have and that SNI carries; null for the host of each endpoint
     * @param caFile trusted authorities (PEM); null for the default authorities of Java
     * @param protocol the protocol that the server must select by ALPN (RFC 7301); empty for no ALPN
     */
    public ClientTls(TlsEngine engine, @Nullable String serverName, @Nullable Path caFile, String protocol) {
        this.engine = engine;
        this.serverName = serverName;
        this.caFile = caFile;
        this.protocol = protocol;
        try {
            this.seen = caFile == null ? new byte[0] : Pem.read(caFile);
            this.context = context(seen);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("ca-file: " + caFile + ": " + e.getMessage(), e);
        }
    }

    /** @param authorities PEM; empty for the default authorities of Java */
    private ClientContext context(byte[] authorities) {
        try {
            return new ClientContext(engine, authorities.length == 0 ? null : Pem.certificates(authorities), protocol);
        } catch (SSLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Reloads the file if its content has changed. Throws {@link IllegalArgumentException}, once for each content, when the file cannot be
     * used; the previous authorities then stay in force.
     */
    public ServerTls.Refresh refresh() {
        byte[] current = caFile == null ? seen : Pem.read(caFile);
        if (Arrays.equals(current, seen)) {
            return ServerTls.Refresh.SAME;
        }
        seen = current;
        context = context(current); // new context: no session under the previous authorities is resumed
        return ServerTls.Refresh.RENEWED;
    }

    /** Returns whether both trust the same servers; null means no TLS and equals only null. */
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
        boolean internet = endpoint instanceof InetSocketAddress;
        String host = serverName;
        if (host == null) {
            host = internet ? ((InetSocketAddress) endpoint).getHostString() : "";
        }
        int port = internet ? ((InetSocketAddress) endpoint).getPort() : 0;
        SslHandler handler = context.handler(allocator, host, port);
        handler.setHandshakeTimeout(handshake.toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    /** Returns the protocol that the server must select by ALPN; empty for none. */
    public String protocol() {
        return protocol;
    }

    /** Returns whether the server selected that protocol. */
    public boolean agreed(SslHandler shaken) {
        return protocol.isEmpty() || protocol.equals(shaken.applicationProtocol());
    }
}
