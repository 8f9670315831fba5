package dev.postern.core.http2.client;

import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestFieldRules;
import dev.postern.core.http.ResponseContent;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http2.codec.HeaderBlock;
import org.jspecify.annotations.Nullable;

/**
 * Maps a complete field section to a response head (RFC 9113 sections 8.1 to 8.3), as strictly as a request's: upstreams are trusted no
 * more than clients. Stateless.
 */
final class ResponseHeadMapper {

    private static final int SWITCHING = 101;
    private static final int OK = 200;

    private ResponseHeadMapper() {}

    /** Completes the head of the field section. Returns the error, or null. */
    static @Nullable String complete(ResponseHeaderBlock block, Method method, boolean endStream) {
        if (block.malformed() != null) {
            return block.malformed();
        }
        if (block.tooLarge()) {
            return "field section too long";
        }
        int status = block.status();
        if (status == 0) {
            return "no status";
        }
        if (status == SWITCHING) {
            return "101"; // section 8.6
        }
        if (status < OK && endStream) {
            return "an interim response that ends the stream";
        }
        ResponseHead head = block.head();
        head.majorVersion(2).status(status);
        return body(head, method, endStream);
    }

    private static @Nullable String body(ResponseHead head, Method method, boolean endStream) {
        long declared;
        try {
            declared = RequestFieldRules.contentLength(head);
        } catch (HttpParseException fault) {
            return String.valueOf(fault.getMessage());
        }
        if (ResponseContent.none(head.status(), method)) {
            head.bodyLength(0);
        } else if (endStream && declared > 0) {
            return "Content-Length without a body";
        } else {
            head.bodyLength(declared >= 0 ? declared : ResponseHead.CHUNKED);
        }
        return null;
    }

    /** Checks the field section after the body. Returns the error, or null. */
    static @Nullable String trailers(HeaderBlock headerBlock, boolean endStream) {
        if (!endStream) {
            return "a second head";
        }
        if (headerBlock.tooLarge()) {
            return "trailers too long";
        }
        return headerBlock.hasPseudo() ? "pseudo-header in trailers" : headerBlock.malformed();
    }
}
