package dev.postern.core.tls.certificate;

import dev.postern.core.transport.FailureText;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** Failure of TLS, as text for operators that is equal for all engines. */
public final class TlsFailure {

    private static final int MAX_NAME = 100;
    private static final int MAX_REASON = 200;

    private TlsFailure() {}

    /**
     * Returns the server name and the reason of a client's failed handshake. Both come from the client in part, so they are bounded, and
     * unusual characters are replaced.
     *
     * @param serverName as the client sent it; null for none
     */
    public static String ofHandshake(@Nullable String serverName, Throwable failure) {
        String name = serverName == null ? "no server name" : "server name " + shown(serverName, MAX_NAME);
        // The exception's own text has the bytes that the client sent.
        String reason = failure instanceof NotSslRecordException ? "no record of TLS" : reason(failure);
        return name + ", " + shown(reason, MAX_REASON);
    }

    private static String shown(String text, int max) {
        String cut = text.length() > max ? text.substring(0, max) + "..." : text;
        StringBuilder out = new StringBuilder(cut.length());
        cut.chars().forEach(c -> out.append(c < ' ' || c > '~' ? '?' : (char) c));
        return out.toString();
    }

    /**
     * Returns the reason of a failed handshake: that of the certificate check, if there is one. BoringSSL's engine wraps it into an
     * exception that has a general text.
     */
    public static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException && cause.getMessage() != null) {
                return FailureText.of(cause);
            }
        }
        return FailureText.message(failure);
    }

    /** Returns the message of the innermost cause. */
    public static String rootMessage(@Nullable Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root == null ? "unknown reason" : FailureText.of(root);
    }
}
