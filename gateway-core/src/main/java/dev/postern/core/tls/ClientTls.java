package dev.postern.core.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the client side, towards the endpoints of one upstream. Each endpoint must present a certificate chain to a trusted authority,
 * with the expected name or address (RFC 9525). Sessions are resumed. The file of authorities can be reloaded: new connections use the new
 * authorities. Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ClientTls {

    private final @Nullable String serverName;
    private final @Nullable Path caFile;
    private final String protocol;
    private volatile SslContext context;
    private volatile byte[] seen;

    /**
     * Throws {@link IllegalArgumentException} when the file cannot be used.
     *
     * @param serverName the name that certificates must have and that SNI carries; null for the host of each endpoint
     * @param caFile trusted authorities (PEM); null for the default authorities of Java
     */
    public ClientTls(@Nullable String serverName, @Nullable Path caFile) {
        this(serverName, caFile, "");
    }

    /** @param protocol the protocol that the server must select by ALPN (RFC 7301); empty for no ALPN */
    public ClientTls(@Nullable String serverName, @Nullable Path caFile, String protocol) {
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
    private SslContext context(byte[] authorities) {
        SslContextBuilder builder = SslContextBuilder.forClient().protocols("TLSv1.3", "TLSv1.2");
        if (!protocol.isEmpty()) {
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    protocol));
        }
        try {
            if (authorities.length > 0) {
                builder.trustManager(Pem.certificates(authorities));
            }
            return builder.build();
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
        SslHandler handler = context.newHandler(allocator, host, port);
        SSLEngine engine = handler.engine();
        SSLParameters parameters = engine.getSSLParameters();
        // Explicit, though also Netty's default: otherwise any certificate of a trusted authority would be accepted.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(serverNames(host));
        engine.setSSLParameters(parameters);
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

    /** Returns the server name for SNI: none for an address, or for a name that no certificate can have. */
    private static List<SNIServerName> serverNames(String host) {
        try {
            return NetUtil.createByteArrayFromIpAddressString(host) == null
                    ? List.of(new SNIHostName(host))
                    : List.of();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }
}
