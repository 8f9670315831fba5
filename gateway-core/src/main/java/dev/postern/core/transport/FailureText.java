package dev.postern.core.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Text of a failure for operators: a sentence in plain words, never the name of a class. Unlike {@link ConnectErrorReason} it keeps the
 * message of a failure that it has no words for, and is therefore not for failures whose message may contain a secret.
 */
public final class FailureText {

    private static final int MAX_CAUSES = 16;
    private static final int LONGEST = 300;

    /** Class name with its package, also of an inner or array class, and the colon behind it. */
    private static final Pattern CLASS = Pattern.compile("(\\[+L|\\b)([a-z_][a-z0-9_]*\\.)+[A-Z][\\w$]*(: *)?");

    /** Name of an exception or error without package, and the colon behind it. */
    private static final Pattern SIMPLE_CLASS = Pattern.compile("\\b[A-Z]\\w+(Exception|Error)\\b(: *)?");

    private static final String NO_AUTHORITY = "no trusted authority issued its certificate";
    private static final String UNTRUSTED = "PKIX path building failed";
    private static final String INVALID = "PKIX path validation failed";
    private static final String SILENT = "no response in time";

    /** Words by exception type. The first entry that matches the failure or one of its causes is used. */
    private static final Map<Class<? extends Throwable>, String> WORDS = words();

    /** Words by a part of the message of a failed connection. */
    private static final Map<String, String> CONNECTING = Map.of(
            "timed out", SILENT, "unreachable", "the network is unreachable", "No route", "no route to the address");

    private FailureText() {}

    private static Map<Class<? extends Throwable>, String> words() {
        Map<Class<? extends Throwable>, String> words = new LinkedHashMap<>();
        words.put(CertificateExpiredException.class, "its certificate has expired");
        words.put(CertificateNotYetValidException.class, "its certificate is not valid yet");
        words.put(CertPathBuilderException.class, NO_AUTHORITY);
        words.put(NotSslRecordException.class, "the other side does not use TLS");
        words.put(UnresolvedAddressException.class, "its name has no address");
        words.put(UnknownHostException.class, "its name has no address");
        words.put(ConnectTimeoutException.class, SILENT);
        words.put(SocketTimeoutException.class, SILENT);
        words.put(HttpTimeoutException.class, SILENT);
        words.put(TimeoutException.class, SILENT);
        words.put(NoRouteToHostException.class, "no route to the address");
        words.put(PortUnreachableException.class, "no program listens on the port");
        words.put(ConnectException.class, "the connection was refused");
        words.put(BindException.class, "the address is in use, or not one of this machine");
        words.put(NoSuchFileException.class, "no such file");
        words.put(FileNotFoundException.class, "no such file, or one that may not be read");
        words.put(AccessDeniedException.class, "access denied");
        words.put(FileAlreadyExistsException.class, "the file exists already");
        words.put(NotDirectoryException.class, "no folder");
        words.put(DirectoryNotEmptyException.class, "the folder is not empty");
        words.put(CharacterCodingException.class, "no text in UTF-8");
        words.put(EOFException.class, "the server closed the connection without a response");
        words.put(ClosedChannelException.class, "the connection was closed");
        words.put(ProtocolException.class, "the server sent no valid HTTP response");
        words.put(CancellationException.class, "cancelled");
        words.put(StackOverflowError.class, "nested too deeply");
        words.put(OutOfMemoryError.class, "not enough memory");
        return words;
    }

    /** Returns the sentence for a failure. */
    public static String of(@Nullable Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (String.valueOf(cause.getMessage()).contains("(expected: ")) {
                return plain(cause.getMessage()); // a message of the gateway itself
            }
        }
        for (Map.Entry<Class<? extends Throwable>, String> one : WORDS.entrySet()) {
            for (Throwable cause : causes) {
                if (one.getKey().isInstance(cause)) {
                    return cause instanceof ConnectException connecting
                            ? connecting(connecting, one.getValue())
                            : one.getValue();
                }
            }
        }
        for (Throwable cause : causes) {
            if (cause instanceof SSLException tls) {
                return handshake(tls);
            }
        }
        return message(causes);
    }

    /** Returns the message of a failure, or of its first cause that has one. */
    public static String message(@Nullable Throwable failure) {
        return message(causes(failure));
    }

    private static String message(List<Throwable> causes) {
        return causes.stream()
                .map(cause -> shortened(plain(cause.getMessage())))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("a fault without a known reason");
    }

    /** Returns the failure and its causes, without wrappers, whose message repeats that of their cause. */
    private static List<Throwable> causes(@Nullable Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MAX_CAUSES; cause = cause.getCause()) {
            boolean wrapper = cause instanceof CompletionException
                    || cause instanceof ExecutionException
                    || cause instanceof UncheckedIOException;
            if (!wrapper || cause.getCause() == null) {
                causes.add(cause);
            }
        }
        return causes;
    }

    private static String connecting(ConnectException failure, String refused) {
        String message = String.valueOf(failure.getMessage());
        return CONNECTING.entrySet().stream()
                .filter(one -> message.contains(one.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(refused);
    }

    private static String handshake(SSLException failure) {
        String text = String.valueOf(failure.getMessage());
        if (text.contains("alternative") || text.contains("No name matching")) {
            return "its certificate is for another name";
        }
        if (text.contains(UNTRUSTED)) {
            return NO_AUTHORITY;
        }
        String reason = shortened(plain(text));
        return text.contains("Unsupported or unrecognized")
                ? "the server does not use TLS"
                : "the TLS handshake failed" + (reason.isEmpty() || reason.equals("null") ? "" : ": " + reason);
    }

    /** Returns a message on one line without names of classes. */
    private static String plain(@Nullable String message) {
        String text = message == null ? "" : message.replaceAll("\\p{Cntrl}", "?");
        if (text.contains(UNTRUSTED)) {
            return NO_AUTHORITY;
        }
        text = text.replace(INVALID, "its certificate does not verify");
        return SIMPLE_CLASS
                .matcher(CLASS.matcher(text).replaceAll(""))
                .replaceAll("")
                .strip();
    }

    /** Returns the begin of a message of others, which may be a page; those of the gateway itself say all that is to do. */
    private static String shortened(String words) {
        return words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "...";
    }
}
