package dev.postern.core.tls.certificate;

import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/** Failure of TLS, as text for operators that is equal for all engines. */
public final class TlsFailure {

    private TlsFailure() {}

    /**
     * Returns the reason of a failed handshake: that of the certificate check, if there is one. BoringSSL's engine wraps it into an
     * exception that has a general text.
     */
    public static String reason(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException && cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return String.valueOf(failure.getMessage());
    }

    /** Returns the message of the innermost cause. */
    public static String rootMessage(@Nullable Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root == null ? "unknown reason" : root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
