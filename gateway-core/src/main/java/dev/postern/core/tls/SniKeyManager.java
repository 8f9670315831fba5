package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * SNI key manager: gives the TLS engine the certificate that {@link SniCertificateSelector} chose, by the server name that the engine read
 * from the client's hello: no second parser reads that message, so that a client cannot make two parsers read different names. Thread-safe.
 */
class SniKeyManager extends X509ExtendedKeyManager {

    private final List<CertificateAndKey> certificates;
    private final SniCertificateSelector selector;

    SniKeyManager(List<CertificateAndKey> certificates) {
        this.certificates = List.copyOf(certificates);
        this.selector = new SniCertificateSelector(certificates.stream()
                .map(c -> new SniCertificateSelector.Offer(c.names(), c.keyType()))
                .toList());
    }

    /** Returns the indices of the certificates for the server name in the hello that the engine has read. */
    final List<Integer> named(@Nullable SSLEngine engine) {
        return selector.named(serverName(engine));
    }

    private static @Nullable String serverName(@Nullable SSLEngine engine) {
        if (engine != null && engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
            for (SNIServerName name : session.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        int chosen = selector.choose(serverName(engine), keyType);
        return chosen == SniCertificateSelector.NONE ? null : Integer.toString(chosen);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return certificates.get(Integer.parseInt(alias)).chain();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return certificates.get(Integer.parseInt(alias)).key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // engines call chooseEngineServerAlias
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null; // for servers only
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
