package dev.postern.core.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates and OCSP responses of an authority, made with {@code openssl ocsp}: {@code chain.crt} for localhost with {@code site.key};
 * responses that are good until 2125, good for a day ({@code short}), revoked, for another certificate ({@code neighbor}), of another
 * authority with the same name ({@code forged}).
 */
public final class OcspVectors {

    private OcspVectors() {}

    public static byte[] bytes(String file) {
        try (InputStream in = Objects.requireNonNull(OcspVectors.class.getResourceAsStream("ocsp/" + file), file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a file of that content into the folder. */
    public static void write(String file, Path folder, String name) {
        try {
            Files.write(folder.resolve(name), bytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the OCSP responses that a client receives in a handshake with that port. */
    public static List<byte[]> stapled(int port, String version, byte[] trusted, String name) {
        try {
            return stapled(new Socket(InetAddress.getLoopbackAddress(), port), version, trusted, name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the OCSP responses that a client receives in a handshake over that connection.
     *
     * @param trusted PEM or DER of the certificate that the client trusts
     */
    public static List<byte[]> stapled(Socket connection, String version, byte[] trusted, String name) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry(
                    "ca",
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(trusted)));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            try (SSLSocket socket = TestTls.over(connection, context)) {
                connection.setSoTimeout(10_000);
                socket.setEnabledProtocols(new String[] {version});
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setServerNames(List.of(new SNIHostName(name)));
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no handshake", e);
        }
    }
}
