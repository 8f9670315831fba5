package dev.postern.core.http2.codec;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Head;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Field names in lower case, as HTTP/2 requires (RFC 9113 section 8.2); frequent names are cached. Stateless. */
final class Http2FieldNames {

    /** Fields that are specific to an HTTP/1.1 connection and not allowed in HTTP/2 (RFC 9113 section 8.2.2). */
    private static final List<FieldName> OF_CONNECTIONS = List.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE);

    private static final List<String> USUAL = List.of(
            "accept",
            "accept-encoding",
            "accept-language",
            "accept-ranges",
            "authorization",
            "cache-control",
            "content-encoding",
            "content-length",
            "content-type",
            "cookie",
            "date",
            "etag",
            "expires",
            "last-modified",
            "location",
            "server",
            "set-cookie",
            "strict-transport-security",
            "user-agent",
            "vary",
            "via",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto");

    private static final int SLOTS = 256;
    private static final @Nullable Known[] KNOWN = new Known[SLOTS];

    private record Known(FieldName name, AsciiString text) {}

    static {
        for (String name : USUAL) {
            FieldName known = FieldName.of(name);
            KNOWN[slot(known.hashCode())] = new Known(known, AsciiString.cached(name));
        }
    }

    private Http2FieldNames() {}

    private static int slot(int hash) {
        return hash & SLOTS - 1;
    }

    /** Returns the name of the field at that index; a copy, unless the name is cached. */
    static AsciiString lowerCase(Head head, int index) {
        @Nullable Known known = KNOWN[slot(head.hashAt(index))];
        return known != null && head.named(index, known.name())
                ? known.text()
                : new AsciiString(head.bytes(), head.nameStart(index), head.nameLength(index), true).toLowerCase();
    }

    /** Returns whether the field at that index is connection-specific. */
    static boolean ofConnection(Head head, int index) {
        for (int i = 0; i < OF_CONNECTIONS.size(); i++) {
            if (head.named(index, OF_CONNECTIONS.get(i))) {
                return true;
            }
        }
        return false;
    }
}
