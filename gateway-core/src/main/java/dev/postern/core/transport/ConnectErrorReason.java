package dev.postern.core.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.NoSuchFileException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Reason of a failed connection to a server, in plain words: without class names, addresses, passwords or text of the server. */
public final class ConnectErrorReason {

    /** Words for a connection that ended without a cause; the next attempt to connect often shows one. */
    public static final String LOST = "connection lost";

    private static final int MAX_CAUSES = 16;
    private static final String TLS = "TLS handshake failed";
    private static final String UNREADABLE = "a file of certificates or keys cannot be read";

    /** Words by exception type. The first entry that matches the failure or one of its causes is used. */
    private static final Map<Class<? extends Throwable>, String> WORDS = words();

    /** Words by a part of the message of a failed handshake, in lower case. */
    private static final Map<String, String> TLS_WORDS = tlsWords();

    private ConnectErrorReason() {}

    private static Map<Class<? extends Throwable>, String> words() {
        Map<Class<? extends Throwable>, String> words = new LinkedHashMap<>();
        words.put(CertificateExpiredException.class, TLS + ": the certificate of the server has expired");
        words.put(CertificateNotYetValidException.class, TLS + ": the certificate of the server is not valid yet");
        words.put(CertPathBuilderException.class, TLS + ": no trusted authority issued the certificate of the server");
        words.put(FileNotFoundException.class, UNREADABLE);
        words.put(NoSuchFileException.class, UNREADABLE);
        words.put(NotSslRecordException.class, "the server does not use TLS on this port");
        words.put(SslHandshakeTimeoutException.class, "no response to the TLS handshake (expected: a port with TLS)");
        words.put(UnknownHostException.class, "the name does not resolve");
        words.put(UnresolvedAddressException.class, "the name does not resolve");
        words.put(NoRouteToHostException.class, "no route to the address");
        words.put(CorruptedFrameException.class, "the server sent no valid reply");
        words.put(ConnectTimeoutException.class, "no response in time");
        words.put(SocketTimeoutException.class, "no response in time");
        words.put(TimeoutException.class, "no response in time");
        return words;
    }

    private static Map<String, String> tlsWords() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("subject alternative", ": the certificate of the server is for another name");
        words.put("no name matching", ": the certificate of the server is for another name");
        words.put("certificate_required", ": the server requires a certificate of the gateway");
        words.put("alert: unknown_ca", ": the server does not trust the certificate of the gateway");
        words.put("alert: bad_certificate", ": the server refuses the certificate of the gateway, or requires one");
        words.put("alert: certificate_unknown", ": the server refuses the certificate of the gateway");
        words.put("alert: certificate_expired", ": the certificate of the gateway has expired");
        words.put("protocol_version", ": no common TLS version");
        words.put("alert: unrecognized_name", ": the server does not know its name in the URI");
        return words;
    }

    /** Returns the words for a failure, from the causes that it names. */
    public static String of(Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Map.Entry<Class<? extends Throwable>, String> word : WORDS.entrySet()) {
            if (causes.stream().anyMatch(word.getKey()::isInstance)) {
                return word.getValue();
            }
        }
        for (Throwable cause : causes) {
            if (cause instanceof SSLException) {
                return TLS + handshake(causes);
            }
            // The exception class of Lettuce is not on the class path of this module, so that only its name is
            // compared.
            if (cause.getClass().getSimpleName().endsWith("TimeoutException")) {
                return "no response in time";
            }
        }
        return byMessage(causes.get(causes.size() - 1));
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MAX_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static String handshake(List<Throwable> causes) {
        for (Throwable cause : causes) {
            String message = lower(cause);
            for (Map.Entry<String, String> word : TLS_WORDS.entrySet()) {
                if (message.contains(word.getKey())) {
                    return word.getValue();
                }
            }
        }
        return "";
    }

    private static String byMessage(Throwable cause) {
        if (lower(cause).contains("connection refused")) {
            return "connection refused";
        }
        return cause instanceof ConnectException ? "no connection" : LOST;
    }

    private static String lower(Throwable cause) {
        return String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    }
}
