package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.RequestHead;
import dev.postern.core.syntax.Chars;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field section as it comes out of HPACK (RFC 9113 section 8.2 and 8.3): checks each field by itself and writes it into the head, as a
 * line, so that it can go upstream as it stands. Used by one connection at a time.
 */
final class FieldSection {

    /** What each field counts beyond its bytes (RFC 9113 section 6.5.2). */
    private static final int OVERHEAD = 32;

    private static final List<FieldName> OF_CONNECTIONS = List.of(
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE);

    private final int limit;
    private RequestHead head = new RequestHead();
    private long size;
    private boolean regular;
    private @Nullable String malformed;
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private int pathStart;
    private int pathEnd;

    /** @param limit bytes of a section at most, with what each field counts beyond its own */
    FieldSection(int limit) {
        this.limit = limit;
    }

    /** Gets ready for the next section, which goes into that head. */
    void begin(RequestHead next) {
        head = next;
        head.reset();
        size = 0;
        regular = false;
        malformed = null;
        method = null;
        scheme = null;
        authority = null;
        pathStart = -1;
        pathEnd = -1;
    }

    /** The next field. */
    void field(byte[] name, int nameAt, int nameLength, byte[] value, int valueAt, int valueLength) {
        size += nameLength + valueLength + OVERHEAD;
        if (size > limit || malformed != null) {
            return; // the table of HPACK lives on, but nobody will read this head
        }
        if (nameLength > 0 && name[nameAt] == ':') {
            pseudo(new String(name, nameAt, nameLength, ISO_8859_1), value, valueAt, valueLength);
        } else {
            regular = true;
            regular(name, nameAt, nameLength, value, valueAt, valueLength);
        }
    }

    private void pseudo(String name, byte[] value, int at, int length) {
        if (regular) {
            malformed = "pseudo-header after a field";
        } else if (name.equals(":method")) {
            malformed = method != null || !token(value, at, length) ? "method" : null;
            method = new String(value, at, length, ISO_8859_1);
        } else if (name.equals(":scheme")) {
            malformed = scheme != null || !token(value, at, length) ? "scheme" : null;
            scheme = new String(value, at, length, ISO_8859_1);
        } else if (name.equals(":authority")) {
            malformed = authority != null ? "several authorities" : null;
            authority = new String(value, at, length, ISO_8859_1);
        } else if (name.equals(":path")) {
            malformed = pathStart >= 0 || length == 0 ? "path" : null;
            pathStart = copy(value, at, length);
            pathEnd = pathStart + length;
        } else {
            malformed = "unknown pseudo-header";
        }
    }

    private void regular(byte[] name, int nameAt, int nameLength, byte[] value, int valueAt, int valueLength) {
        int at = head.reserve(nameLength + valueLength + 4);
        byte[] bytes = head.bytes();
        int hash = 0;
        boolean good = nameLength > 0;
        for (int i = 0; i < nameLength; i++) {
            byte b = name[nameAt + i];
            good &= Chars.token(b) && (b < 'A' || b > 'Z');
            hash = 31 * hash + (b | 0x20);
            bytes[at + i] = b;
        }
        int valueStart = at + nameLength + 2;
        int valueEnd = valueStart + valueLength;
        bytes[valueStart - 2] = ':';
        bytes[valueStart - 1] = ' ';
        for (int i = 0; i < valueLength; i++) {
            byte b = value[valueAt + i];
            good &= Chars.value(b);
            bytes[valueStart + i] = b;
        }
        bytes[valueEnd] = '\r';
        bytes[valueEnd + 1] = '\n';
        if (!good) {
            malformed = "character in a field";
        } else if (valueLength > 0 && (blank(bytes[valueStart]) || blank(bytes[valueEnd - 1]))) {
            malformed = "blank around a value";
        } else {
            head.field(at, at + nameLength, valueStart, valueEnd, hash);
            ofConnection(head.fields() - 1);
        }
    }

    private void ofConnection(int index) {
        for (int i = 0; i < OF_CONNECTIONS.size(); i++) {
            if (head.named(index, OF_CONNECTIONS.get(i))) {
                malformed = "field of a connection";
            }
        }
        if (head.named(index, FieldName.TE) && !head.valueAt(index).equalsIgnoreCase("trailers")) {
            malformed = "te";
        }
    }

    private int copy(byte[] from, int at, int length) {
        int to = head.reserve(length);
        System.arraycopy(from, at, head.bytes(), to, length);
        return to;
    }

    private static boolean token(byte[] bytes, int at, int length) {
        for (int i = at; i < at + length; i++) {
            if (!Chars.token(bytes[i])) {
                return false;
            }
        }
        return length > 0;
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    RequestHead head() {
        return head;
    }

    boolean tooLarge() {
        return size > limit;
    }

    /** Whether any pseudo-header came, as none may in trailers. */
    boolean hasPseudo() {
        return method != null || scheme != null || authority != null || pathStart >= 0;
    }

    /** What is wrong with one of the fields, or null. */
    @Nullable
    String malformed() {
        return malformed;
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

    /** Where the path begins in the bytes of the head, or -1. */
    int pathStart() {
        return pathStart;
    }

    int pathEnd() {
        return pathEnd;
    }
}
