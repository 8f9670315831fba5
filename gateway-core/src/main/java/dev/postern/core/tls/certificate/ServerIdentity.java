package dev.postern.core.tls.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a TLS server: the name that is sent to it and that its certificate must have. Java neither sends nor checks names such as
 * {@code my_app.test}; for these the check of RFC 9525 section 6.3 is made here, after the handshake.
 *
 * @param name a host name without a final dot; or an address literal, which is not sent
 */
public record ServerIdentity(String name) {

    private static final int HOST_NAME = 0;

    /** Creates the identity of a host, whose final dot only marks it as absolute. */
    public static ServerIdentity of(String host) {
        return new ServerIdentity(host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
    }

    /** Returns whether Java sends and checks the name, an address too. */
    public boolean knownToJava() {
        return literal() || hostName() != null;
    }

    private boolean literal() {
        return name.isEmpty() || name.indexOf(':') >= 0 || name.matches("[0-9.]+");
    }

    private @Nullable SNIHostName hostName() {
        try {
            return new SNIHostName(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Sets the name to send, and whether the engine checks the certificate's name. */
    public void applyTo(SSLParameters parameters) {
        // Explicit, though also Netty's default: otherwise any certificate of a trusted authority would be accepted.
        parameters.setEndpointIdentificationAlgorithm(knownToJava() ? "HTTPS" : "");
        SNIHostName host = literal() ? null : hostName();
        parameters.setServerNames(host == null ? List.of() : List.of(host));
    }

    /** Returns the name that the client's hello contains, for a name that Java does not send. */
    public SNIServerName raw() {
        return new RawName(name.getBytes(US_ASCII));
    }

    private static final class RawName extends SNIServerName {

        private RawName(byte[] name) {
            super(HOST_NAME, name);
        }
    }

    /** Checks the certificate of a finished handshake; throws {@link SSLPeerUnverifiedException} if it has another name. */
    public void require(SSLSession session) throws SSLPeerUnverifiedException {
        if (knownToJava()) {
            return; // the engine has checked it
        }
        X509Certificate leaf = (X509Certificate) session.getPeerCertificates()[0];
        List<String> names = CertificateAndKey.names(leaf);
        if (names.stream().noneMatch(this::matches)) {
            throw new SSLPeerUnverifiedException("No name matching " + name + " found");
        }
    }

    /** Returns whether the name of a certificate, in lower case, is this name, or a wildcard for its first label. */
    boolean matches(String offered) {
        String wanted = name.toLowerCase(Locale.ROOT);
        if (offered.equals(wanted)) {
            return true;
        }
        int dot = wanted.indexOf('.');
        boolean wildcard = offered.startsWith("*.") && offered.indexOf('.', 2) > 0;
        return wildcard && dot > 0 && offered.substring(1).equals(wanted.substring(dot));
    }
}
