package dev.postern.app.cli.check;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Reason why a server could not be reached, in plain words. */
public final class Reason {

    /** Reasons by exception type. The first entry that matches the failure or one of its causes is used. */
    private static final Map<Class<? extends Throwable>, String> WORDS = words();

    private Reason() {}

    private static Map<Class<? extends Throwable>, String> words() {
        Map<Class<? extends Throwable>, String> words = new LinkedHashMap<>();
        words.put(CertificateExpiredException.class, "its certificate has expired");
        words.put(CertificateNotYetValidException.class, "its certificate is not valid yet");
        words.put(CertPathBuilderException.class, "no trusted authority issued its certificate");
        words.put(UnresolvedAddressException.class, "its name has no address");
        words.put(UnknownHostException.class, "its name has no address");
        words.put(SocketTimeoutException.class, "no response in time");
        words.put(HttpTimeoutException.class, "no response in time");
        words.put(TimeoutException.class, "no response in time");
        words.put(NoRouteToHostException.class, "no route to the address");
        words.put(ConnectException.class, "the connection was refused");
        words.put(NoSuchFileException.class, "no such file");
        words.put(AccessDeniedException.class, "access denied");
        words.put(EOFException.class, "the server closed the connection without a response");
        return words;
    }

    public static String of(Throwable failure) {
        for (Map.Entry<Class<? extends Throwable>, String> one : WORDS.entrySet()) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (one.getKey().isInstance(cause)) {
                    return one.getValue();
                }
            }
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException tls) {
                return handshake(tls);
            }
        }
        return plain(failure.getMessage());
    }

    private static String handshake(SSLException failure) {
        String text = String.valueOf(failure.getMessage());
        if (text.contains("alternative") || text.contains("No name matching")) {
            return "its certificate is for another name";
        }
        return text.contains("Unsupported or unrecognized")
                ? "the server does not use TLS"
                : "the TLS handshake failed: " + plain(text);
    }

    /** Returns the message without class names. */
    private static String plain(@Nullable String message) {
        String text = message == null
                ? ""
                : message.replaceAll("\\b([a-z][a-z0-9]*\\.)+[A-Z]\\w*(: *)?", "")
                        .strip();
        return text.isEmpty() ? "unknown failure" : text;
    }
}
