package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import dev.postern.core.tls.certificate.ServerIdentity;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.internal.tcnative.SSL;
import java.security.cert.X509Certificate;
import java.util.List;
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

    /**
     * Creates the handler of one connection. The engine checks the name of the server's certificate only if Java knows the name; {@link
     * ServerIdentity#require} checks others after the handshake.
     */
    SslHandler handler(ByteBufAllocator allocator, ServerIdentity server, int port) {
        SslHandler handler = context.handler(allocator, server.name(), port);
        SSLEngine engine = handler.engine();
        SSLParameters parameters = engine.getSSLParameters();
        server.applyTo(parameters);
        boolean raw = !server.knownToJava();
        if (raw && !(engine instanceof ReferenceCountedOpenSslEngine)) {
            parameters.setServerNames(List.of(server.raw()));
        }
        engine.setSSLParameters(parameters);
        if (raw && engine instanceof ReferenceCountedOpenSslEngine boringSsl) {
            SSL.setTlsExtHostName(boringSsl.sslPointer(), server.name()); // Netty's engine takes Java's names only
        }
        return handler;
    }
}
