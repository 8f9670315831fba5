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
 * TLS towards the endpoints of one upstream, which must prove that they are who was meant: a chain to an authority that is believed, and the
 * name or address in the certificate (RFC 9525). Sessions are resumed. Its file can be read again: new connections believe whom it names
 * then. Thread-safe, but {@link #refresh} is for one thread that may block.
 */
public final class ClientTls {

    private final @Nullable String serverName;
    private final @Nullable Path caFile;
    private final String protocol;
    private volatile SslContext context;
    private volatile byte[] seen;

    /**
     * Throws {@link IllegalArgumentException} when the file can't be used.
     *
     * @param serverName the name that certificates must have, and that servers are told; null for the host of each endpoint
     * @param caFile whose certificates are believed (PEM); null for those that Java believes
     */
    public ClientTls(@Nullable String serverName, @Nullable Path caFile) {
        this(serverName, caFile, "");
    }

    /** @param protocol the one that the server must agree to by ALPN (RFC 7301); empty to leave that out */
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

    /** @param authorities PEM; empty for those that Java believes */
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
     * Looks whether the file holds something else than last time. Throws {@link IllegalArgumentException}, once for each content, when it can't
     * be used; what was in force stays.
     */
    public ServerTls.Look refresh() {
        byte[] current = caFile == null ? seen : Pem.read(caFile);
        if (Arrays.equals(current, seen)) {
            return ServerTls.Look.SAME;
        }
        seen = current;
        context = context(current); // a whole new one: no session is resumed that began under other authorities
        return ServerTls.Look.RENEWED;
    }

    /** Whether both would believe the same servers; null believes nobody, since it speaks no TLS. */
    public static boolean same(@Nullable ClientTls one, @Nullable ClientTls other) {
        if (one == null || other == null) {
            return one == other;
        }
        return Objects.equals(one.serverName, other.serverName)
                && one.protocol.equals(other.protocol)
                && Arrays.equals(one.seen, other.seen);
    }

    /** For one connection; begins the handshake when it is put into the pipeline, and gives up after that time. */
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
        // Said here, though it is what netty does by itself: without it any certificate of a known authority would do.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(told(host));
        engine.setSSLParameters(parameters);
        handler.setHandshakeTimeout(handshake.toNanos(), TimeUnit.NANOSECONDS);
        return handler;
    }

    /** What the server must agree to by ALPN, or nothing. */
    public String protocol() {
        return protocol;
    }

    /** Whether the server agreed to that. */
    public boolean agreed(SslHandler shaken) {
        return protocol.isEmpty() || protocol.equals(shaken.applicationProtocol());
    }

    /** What the server is told whom we mean: nothing where that is an address, or a name that no certificate can have. */
    private static List<SNIServerName> told(String host) {
        try {
            return NetUtil.createByteArrayFromIpAddressString(host) == null
                    ? List.of(new SNIHostName(host))
                    : List.of();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }
}
