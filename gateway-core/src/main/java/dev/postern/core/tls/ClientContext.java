package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Context towards one upstream, equal for all engines. Thread-safe. */
final class ClientContext {

    private final TlsContext context;

    /**
     * Throws {@link SSLException} or {@link IllegalArgumentException} with the reason when the engine refuses the authorities.
     *
     * @param authorities trusted authorities; null for the default authorities of Java
     * @param own certificate of the gateway, for servers that request one; null for none
     * @param protocol the protocol that is offered by ALPN; empty for none
     */
    ClientContext(
            TlsEngine engine,
            X509Certificate @Nullable [] authorities,
            @Nullable CertificateAndKey own,
            String protocol)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().protocols("TLSv1.3", "TLSv1.2");
        if (!protocol.isEmpty()) {
            builder.applicationProtocolConfig(ServerContext.alpn(List.of(protocol)));
        }
        if (authorities != null) {
            builder.trustManager(authorities);
        }
        if (own != null) {
            builder.keyManager(own.key(), own.chain());
        }
        this.context = engine.context(builder);
    }

    /** Creates the handler of one connection, whose server must have a certificate for the host. */
    SslHandler handler(ByteBufAllocator allocator, String host, int port) {
        SslHandler handler = context.handler(allocator, host, port);
        SSLEngine engine = handler.engine();
        SSLParameters parameters = engine.getSSLParameters();
        // Explicit, though also Netty's default: otherwise any certificate of a trusted authority would be accepted.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setServerNames(serverNames(host));
        engine.setSSLParameters(parameters);
        return handler;
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
