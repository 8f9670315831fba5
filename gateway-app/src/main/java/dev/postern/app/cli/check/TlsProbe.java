package dev.postern.app.cli.check;

import dev.postern.core.tls.certificate.PemChecks;
import dev.postern.core.tls.certificate.ServerIdentity;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Probe that performs a TLS handshake like the gateway: the certificate must be valid, trusted, and for the name. */
final class TlsProbe {

    private TlsProbe() {}

    /**
     * Returns the socket after the handshake.
     *
     * @param caFile trusted certificates (PEM); null for those that Java trusts
     * @param own certificate for servers that request one; null for none
     */
    static SSLSocket shake(Socket socket, String name, @Nullable Path caFile, KeyManager @Nullable [] own)
            throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(caFile == null ? null : store(caFile));
        context.init(own, trust.getTrustManagers(), null);
        ServerIdentity server = ServerIdentity.of(name);
        SSLSocket tls =
                (SSLSocket) context.getSocketFactory().createSocket(socket, server.name(), socket.getPort(), false);
        SSLParameters parameters = tls.getSSLParameters();
        server.applyTo(parameters);
        if (!server.knownToJava()) {
            parameters.setServerNames(List.of(server.raw()));
        }
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        server.require(tls.getSession());
        return tls;
    }

    private static KeyStore store(Path caFile) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate one : PemChecks.authorities(caFile)) {
            store.setCertificateEntry(Integer.toString(store.size()), one);
        }
        return store;
    }
}
