package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import java.lang.ref.Cleaner;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Key manager of BoringSSL: offers the certificates for the client's server name, as credentials, from which BoringSSL selects by the
 * algorithms in the client's hello. Netty calls it once in each handshake, but passes the key types of the server's cipher suites, not
 * those of the client, so the key type can't be chosen here. Thread-safe.
 */
final class BoringSslKeyManager extends SniKeyManager {

    private static final String OFFERED = "offered as credentials";

    private final BoringSslCredentials credentials;

    BoringSslKeyManager(List<CertificateAndKey> certificates, ServerNames names, Cleaner cleaner) {
        super(certificates, names);
        this.credentials = new BoringSslCredentials(certificates, cleaner);
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        if (engine instanceof ReferenceCountedOpenSslEngine boringSsl) {
            credentials.offer(named(engine), boringSsl);
            return OFFERED;
        }
        throw new IllegalStateException("engine: " + engine + " (expected: one of BoringSSL)");
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return null; // none besides the credentials
    }
}
