package dev.postern.core.transport;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.CorruptedFrameException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Reason of a failed connection to a server, in plain words: without class names, addresses, passwords or text of the server. */
public final class ConnectErrorReason {

    /** First word of an error reply of Redis. */
    private static final Pattern ERROR_REPLY = Pattern.compile("[A-Z]{3,20}(?= )");

    /** Words for a connection that ended without a cause; the next attempt to connect often shows one. */
    public static final String LOST = "connection lost";

    private ConnectErrorReason() {}

    /** Returns the words for a failure, for its innermost cause. */
    public static String of(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause.getCause() != null && depth < 16; depth++) {
            cause = cause.getCause();
        }
        if (cause instanceof UnknownHostException) {
            return "the name does not resolve";
        }
        if (cause instanceof NoRouteToHostException) {
            return "no route to the address";
        }
        if (cause instanceof SSLException) {
            return "TLS handshake failed";
        }
        if (cause instanceof CorruptedFrameException) {
            return "the server sent no valid reply";
        }
        return timedOut(cause) ? "no response in time" : byMessage(cause);
    }

    private static boolean timedOut(Throwable cause) {
        // The exception class of Lettuce is not on the class path of this module, so that only its name is compared.
        return cause instanceof ConnectTimeoutException
                || cause instanceof SocketTimeoutException
                || cause instanceof TimeoutException
                || cause.getClass().getSimpleName().endsWith("TimeoutException");
    }

    private static String byMessage(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("connection refused")) {
            return "connection refused";
        }
        if (cause instanceof ConnectException) {
            return "no connection";
        }
        Matcher reply = ERROR_REPLY.matcher(message);
        if (reply.lookingAt()) {
            boolean credentials =
                    reply.group().equals("NOAUTH") || reply.group().equals("WRONGPASS");
            return (credentials ? "authentication failed, " : "error reply ") + reply.group();
        }
        return LOST;
    }
}
