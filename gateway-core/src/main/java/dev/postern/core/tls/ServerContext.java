package dev.postern.core.tls;

import dev.postern.core.tls.certificate.CertificateAndKey;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.lang.ref.Cleaner;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Builder of contexts for one listener, equal for all engines.
 *
 * @param minVersion {@code TLSv1.2} or {@code TLSv1.3}
 * @param alpn offered protocols, in order of preference; empty for none
 * @param names the server names of running handshakes
 */
record ServerContext(TlsEngine engine, String minVersion, List<String> alpn, ServerNames names) {

    /**
     * Cipher suites with forward secrecy and authenticated encryption: all of TLS 1.3, and the equivalents of TLS 1.2 (RFC 9325 section
     * 4.2).
     */
    private static final List<String> CIPHERS = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final String DISABLED = "jdk.tls.server.disableExtensions";
    private static final String SERVER_NAME = "server_name";

    static {
        // BoringSSL refuses renegotiation by default. The JDK's engine has only this process-wide switch, read at the
        // first server handshake; no server handshake happens before this class is loaded.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
        // ServerNameHandler reads the server name. The JDK's engine would refuse the handshake for names that Java's
        // SNIHostName refuses, such as my_app.test; it has only this switch, read at the same time.
        String others = System.getProperty(DISABLED, "");
        System.setProperty(DISABLED, others.isEmpty() ? SERVER_NAME : others + "," + SERVER_NAME);
    }

    /**
     * Builds a context; throws {@link SSLException} or {@link IllegalArgumentException} with the reason when the engine refuses the
     * certificates or authorities.
     *
     * @param authorities one of them must have issued the client's certificate; null when clients need no certificate
     */
    TlsContext of(List<CertificateAndKey> certificates, X509Certificate @Nullable [] authorities) throws SSLException {
        SniKeyManager keys = engine.isNative()
                ? new BoringSslKeyManager(certificates, names, engine.cleaner())
                : new SniKeyManager(certificates, names);
        SslContextBuilder builder = SslContextBuilder.forServer(keys)
                .protocols(minVersion.equals("TLSv1.3") ? List.of("TLSv1.3") : List.of("TLSv1.3", "TLSv1.2"))
                .ciphers(CIPHERS, SupportedCipherSuiteFilter.INSTANCE);
        if (!alpn.isEmpty()) {
            builder.applicationProtocolConfig(alpn(alpn));
        }
        if (authorities != null) {
            builder.trustManager(authorities).clientAuth(ClientAuth.REQUIRE);
        }
        return engine.context(builder);
    }

    /** Returns the configuration of ALPN that accepts a connection without a common protocol. */
    static ApplicationProtocolConfig alpn(List<String> protocols) {
        return new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                protocols);
    }

    /**
     * Key manager of BoringSSL: offers the certificates for the client's server name, as credentials, from which BoringSSL selects by the
     * algorithms in the client's hello. Netty calls it once in each handshake, but passes the key types of the server's cipher suites, not
     * those of the client, so the key type can't be chosen here. Thread-safe.
     */
    private static final class BoringSslKeyManager extends SniKeyManager {

        private static final String OFFERED = "offered as credentials";

        private final BoringSslCredentials credentials;

        BoringSslKeyManager(List<CertificateAndKey> certificates, ServerNames names, Cleaner cleaner) {
            super(certificates, names);
            this.credentials = new BoringSslCredentials(certificates, cleaner);
        }

        @Override
        public String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
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
}
