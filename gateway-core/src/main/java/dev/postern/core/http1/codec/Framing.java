package dev.postern.core.http1.codec;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestFieldRules;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseContent;
import dev.postern.core.http.ResponseHead;
import java.util.Locale;

/**
 * Framing rules: the length of a body and the persistence of its connection (RFC 9112 sections 6 and 9). Request smuggling exploits lenient
 * readings of these rules, so the strictest reading applies everywhere.
 */
public final class Framing {

    private Framing() {}

    /** Returns the length of a request's body; throws {@link HttpParseException} for headers that two parsers could read differently. */
    public static long requestBody(RequestHead head) {
        int coding = head.next(FieldName.TRANSFER_ENCODING, 0);
        if (coding < 0) {
            return Math.max(RequestHead.NO_BODY, RequestFieldRules.contentLength(head));
        }
        if (head.has(FieldName.CONTENT_LENGTH)) {
            throw HttpParseException.malformed("Transfer-Encoding beside Content-Length");
        }
        if (head.minorVersion() == 0) {
            throw HttpParseException.malformed("Transfer-Encoding in HTTP/1.0");
        }
        requireChunked(head, coding);
        return RequestHead.CHUNKED;
    }

    /**
     * Returns the length of the body of a response to the method; throws {@link HttpParseException}. A response without content ends with its
     * head, whatever its framing fields say; of two that contradict each other, the length is removed.
     */
    public static long responseBody(ResponseHead head, Method method) {
        int coding = head.next(FieldName.TRANSFER_ENCODING, 0);
        if (coding >= 0) {
            requireChunked(head, coding);
        }
        long declared = ResponseContent.length(head);
        boolean doubtful = coding >= 0 && (declared >= 0 || head.minorVersion() == 0);
        if (ResponseContent.none(head.status(), method)) {
            if (doubtful) {
                head.remove(FieldName.CONTENT_LENGTH);
            }
            return 0;
        }
        if (doubtful) {
            throw HttpParseException.malformed("Transfer-Encoding beside Content-Length or in HTTP/1.0");
        }
        if (coding >= 0) {
            return ResponseHead.CHUNKED;
        }
        return declared >= 0 ? declared : ResponseHead.UNTIL_CLOSE;
    }

    /**
     * Returns whether the bytes of a body may follow a response that ends with its head, because the fields announce one where none is
     * allowed, or contradict each other; expects the head before {@link #responseBody}. Its connection carries no other exchange.
     */
    public static boolean bodyMayFollow(ResponseHead head, Method method) {
        if (!ResponseContent.none(head.status(), method)) {
            return false;
        }
        boolean coded = head.has(FieldName.TRANSFER_ENCODING);
        if (ResponseContent.unframed(head.status())) {
            return coded || ResponseContent.length(head) > 0;
        }
        return coded && (head.has(FieldName.CONTENT_LENGTH) || head.minorVersion() == 0);
    }

    /**
     * Throws {@link HttpParseException} when Connection lists more options than {@code limit}: each option costs a search through the
     * fields.
     */
    static void boundOptions(Head head, int limit) {
        int options = 0;
        for (int i = head.next(FieldName.CONNECTION, 0); i >= 0; i = head.next(FieldName.CONNECTION, i + 1)) {
            options += 1 + head.commas(i);
        }
        if (options > limit) {
            throw HttpParseException.malformed("options of a connection beyond " + limit);
        }
    }

    /** Returns whether the sender wants a persistent connection (RFC 9112 section 9.3). */
    public static boolean keepAlive(Head head, int minorVersion) {
        if (head.lists(FieldName.CONNECTION, FieldName.CLOSE)) {
            return false;
        }
        return minorVersion > 0 || head.lists(FieldName.CONNECTION, FieldName.KEEP_ALIVE);
    }

    /**
     * Returns the single Upgrade protocol of a request of HTTP/1.1, as spelt there; otherwise "" (Upgrade is ignored). The request may have
     * any method, and a body, behind which the protocol begins (RFC 9110 section 7.8), where the protocol allows them.
     */
    public static String upgrade(RequestHead head) {
        int index = head.next(FieldName.UPGRADE, 0);
        boolean never = head.minorVersion() == 0 || head.method().equals(Method.CONNECT);
        if (index < 0 || never || head.next(FieldName.UPGRADE, index + 1) >= 0) {
            return "";
        }
        String protocol = head.valueAt(index);
        boolean one = protocol.matches("[A-Za-z0-9._/-]{1,32}") && begins(protocol.toLowerCase(Locale.ROOT), head);
        return one && head.lists(FieldName.CONNECTION, FieldName.UPGRADE) ? protocol : "";
    }

    /** Returns whether the request may begin the protocol. */
    private static boolean begins(String protocol, RequestHead head) {
        return switch (protocol) {
            case "h2c" -> false; // its frames could carry requests past all checks
            // RFC 6455 section 4.1, RFC 9298 section 3.2: a GET, whose body would have no meaning
            case "websocket", "connect-udp" -> head.method().equals(Method.GET) && !head.hasBody();
            default -> true;
        };
    }

    /**
     * Returns whether TE lists trailers. Connection need not list TE, although the sender must (RFC 9110 section 10.1.4): clients of gRPC
     * do not, and what they ask for frames nothing.
     */
    public static boolean takesTrailers(RequestHead head) {
        return head.minorVersion() > 0 && head.lists(FieldName.TE, FieldName.TRAILERS);
    }

    private static void requireChunked(Head head, int coding) {
        boolean several = head.next(FieldName.TRANSFER_ENCODING, coding + 1) >= 0;
        if (!several && head.valueIs(coding, FieldName.CHUNKED)) {
            return;
        }
        String value = head.valueAt(coding).toLowerCase(Locale.ROOT);
        if (several || value.isEmpty() || value.contains("chunked")) {
            throw HttpParseException.malformed("transfer codings");
        }
        throw new HttpParseException(Refusal.NOT_IMPLEMENTED, "transfer coding");
    }
}
