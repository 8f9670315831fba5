package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.HeadLimits;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http2.codec.HeaderBlock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Header block of a request, with its pseudo-headers (RFC 9113 section 8.3.1, RFC 8441 section 4). Used by one connection at a time. */
final class RequestHeaderBlock extends HeaderBlock {

    private final Supplier<RequestHead> heads;
    private RequestHead head = new RequestHead();
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String protocol;
    private int pathStart = -1;
    private int pathEnd = -1;

    /**
     * @param limits of a field section
     * @param heads supplies a head for each field section
     */
    RequestHeaderBlock(HeadLimits limits, Supplier<RequestHead> heads) {
        super(limits, true, new RequestHead());
        this.heads = heads;
    }

    @Override
    protected RequestHead next() {
        head = heads.get();
        method = null;
        scheme = null;
        authority = null;
        protocol = null;
        pathStart = -1;
        pathEnd = -1;
        return head;
    }

    @Override
    protected @Nullable String pseudo(String name, byte[] value, int offset, int length) {
        switch (name) {
            case ":method" -> {
                boolean wrong = method != null || !token(value, offset, length);
                method = new String(value, offset, length, ISO_8859_1);
                return wrong ? "method" : null;
            }
            case ":scheme" -> {
                boolean wrong = scheme != null || !token(value, offset, length);
                scheme = new String(value, offset, length, ISO_8859_1);
                return wrong ? "scheme" : null;
            }
            case ":authority" -> {
                boolean wrong = authority != null;
                authority = new String(value, offset, length, ISO_8859_1);
                return wrong ? "several authorities" : null;
            }
            case ":protocol" -> {
                boolean wrong = protocol != null || !token(value, offset, length);
                protocol = new String(value, offset, length, ISO_8859_1);
                return wrong ? "protocol" : null;
            }
            case ":path" -> {
                boolean wrong = pathStart >= 0 || length == 0;
                pathStart = copy(value, offset, length);
                pathEnd = pathStart + length;
                return wrong ? "path" : null;
            }
            default -> {
                return "unknown pseudo-header";
            }
        }
    }

    private int copy(byte[] from, int offset, int length) {
        int end = head.reserve(length);
        System.arraycopy(from, offset, head.bytes(), end, length);
        return end;
    }

    private static boolean token(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (!HttpChars.token(bytes[i])) {
                return false;
            }
        }
        return length > 0;
    }

    RequestHead head() {
        return head;
    }

    @Override
    public boolean hasPseudo() {
        return method != null || scheme != null || authority != null || protocol != null || pathStart >= 0;
    }

    @Nullable
    String method() {
        return method;
    }

    @Nullable
    String scheme() {
        return scheme;
    }

    @Nullable
    String authority() {
        return authority;
    }

    /** Returns the protocol of an extended CONNECT (RFC 8441), or null. */
    @Nullable
    String protocol() {
        return protocol;
    }

    /** Returns the offset of the path in the bytes of the head, or -1. */
    int pathStart() {
        return pathStart;
    }

    int pathEnd() {
        return pathEnd;
    }
}
