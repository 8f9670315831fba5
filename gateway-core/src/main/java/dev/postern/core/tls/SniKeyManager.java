package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * SNI key manager: gives the TLS engine the certificate that {@link SniCertificateSelector} chose, by the server name that {@link
 * ServerNameHandler} read from the client's hello. Thread-safe.
 */
class SniKeyManager extends X509ExtendedKeyManager {

    private final List<CertificateAndKey> certificates;
    private final SniCertificateSelector selector;
    private final ServerNames names;

    SniKeyManager(List<CertificateAndKey> certificates, ServerNames names) {
        this.certificates = List.copyOf(certificates);
        this.names = names;
        this.selector = new SniCertificateSelector(certificates.stream()
                .map(c -> new SniCertificateSelector.Offer(c.names(), c.keyType()))
                .toList());
    }

    /** Returns the indices of the certificates for the server name in the client's hello. */
    final List<Integer> named(@Nullable SSLEngine engine) {
        return selector.named(serverName(engine));
    }

    private @Nullable String serverName(@Nullable SSLEngine engine) {
        return engine == null ? null : names.of(engine);
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
