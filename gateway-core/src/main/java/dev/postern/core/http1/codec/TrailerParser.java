package dev.postern.core.http1.codec;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.HttpChars;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.Trailers;
import org.jspecify.annotations.Nullable;

/** Parser of the trailers after the last chunk, byte by byte (RFC 9112 section 7.1.2), as strict as for heads. */
final class TrailerParser {

    private static final int MAX_BYTES = 16384;
    private static final int MAX_FIELDS = 256; // each needs more memory than its bytes

    private @Nullable Trailers fields;
    private int bytes;
    private int lineStart;
    private int nameEnd;
    private int position;

    /** Begins a new body. */
    void begin() {
        fields = null;
        bytes = 0;
        lineStart = 0;
        nameEnd = -1;
        position = 0;
    }

    /** Returns the trailers, or null when there were none. */
    @Nullable
    Trailers found() {
        return fields;
    }

    /** Parses one byte of a line. */
    void take(byte b) {
        if (++bytes > MAX_BYTES) {
            throw new HttpParseException(Refusal.HEAD_TOO_LARGE, "trailers");
        }
        if (nameEnd >= 0) {
            if (!HttpChars.value(b)) {
                throw HttpParseException.malformed("control character in a trailer");
            }
        } else if (b == ':' && position > lineStart) {
            nameEnd = position;
        } else if (!HttpChars.token(b)) {
            throw HttpParseException.malformed("trailer name");
        }
        Trailers into = fields;
        if (into == null) {
            into = new Trailers();
            fields = into;
        }
        int offset = into.reserve(1); // may replace the array
        into.bytes()[offset] = b;
        position++;
    }

    /** Ends a line; false for the empty line after the trailers. */
    boolean lineEnded() {
        Trailers into = fields;
        if (into == null || position == lineStart) {
            return false;
        }
        if (nameEnd < 0) {
            throw HttpParseException.malformed("trailer without a name");
        }
        byte[] text = into.bytes();
        int start = nameEnd + 1;
        int end = position;
        while (start < end && blank(text[start])) {
            start++;
        }
        while (end > start && blank(text[end - 1])) {
            end--;
        }
        if (into.fields() == MAX_FIELDS) {
            throw new HttpParseException(Refusal.HEAD_TOO_LARGE, "trailers");
        }
        into.field(lineStart, nameEnd, start, end, FieldName.hash(text, lineStart, nameEnd));
        lineStart = position;
        nameEnd = -1;
        return true;
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }
}
