package dev.postern.core.http1.codec;

import dev.postern.core.http.HttpChars;
import dev.postern.core.http.SwarSearch;

/**
 * Validator of written heads, independent of the writer's code: rejects a head that could be read in two ways (RFC 9112 sections 2.2, 3, 4,
 * 5.1 and 6.3). Whatever a stage changed in a head, one that splits, folds or has two framings is never sent.
 *
 * <p>One pass over the bytes. Keeps no state between heads; not thread-safe.
 */
final class OutboundHeadValidator {

    private static final int MAX_DIGITS = 18;

    private byte[] bytes = {};
    private int end;
    private int offset;
    private int hosts;
    private int lengths;
    private int codings;

    /**
     * Returns whether the first {@code length} bytes are exactly the head of one request.
     *
     * @param lines expected number of fields: detects a value that contains a whole line
     */
    boolean request(byte[] head, int length, int lines) {
        begin(head, length);
        return requestLine() && fields(lines) && hosts == 1 && framedOnce();
    }

    /** Returns whether the bytes are exactly the head of one response with this number of fields. */
    boolean response(byte[] head, int length, int lines) {
        begin(head, length);
        return statusLine() && fields(lines) && framedOnce();
    }

    /** Returns whether the bytes are exactly this number of trailers, none of which frames or routes. */
    boolean trailers(byte[] fields, int length, int lines) {
        begin(fields, length);
        return fields(lines) && hosts + lengths + codings == 0;
    }

    private void begin(byte[] head, int length) {
        bytes = head;
        end = length;
        offset = 0;
        hosts = 0;
        lengths = 0;
        codings = 0;
    }

    private boolean framedOnce() {
        return lengths + codings <= 1;
    }

    private boolean requestLine() {
        if (!token() || !next(' ')) {
            return false;
        }
        int start = offset;
        while (offset < end && bytes[offset] > ' ' && bytes[offset] < 0x7f) {
            offset++;
        }
        return offset > start && next(' ') && version() && lineEnd();
    }

    private boolean statusLine() {
        if (!version() || !next(' ')) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            if (offset >= end || !digit(bytes[offset++])) {
                return false;
            }
        }
        return next(' ') && value() && lineEnd();
    }

    private boolean version() {
        return next('H') && next('T') && next('T') && next('P') && next('/') && next('1') && next('.') && next('1');
    }

    /** Reads all lines up to the empty one, which must be the last. */
    private boolean fields(int lines) {
        int found = 0;
        while (offset < end && bytes[offset] != '\r') {
            int name = offset;
            boolean named = token();
            int nameEnd = offset;
            if (!named || !next(':')) {
                return false;
            }
            int value = offset;
            if (!value() || !known(name, nameEnd, value) || !lineEnd()) {
                return false;
            }
            found++;
        }
        return lineEnd() && offset == end && found == lines;
    }

    /** Counts the fields that frame and route messages. */
    private boolean known(int name, int nameEnd, int value) {
        switch (nameEnd - name) {
            case 4 -> {
                if (is(name, nameEnd, "host")) {
                    hosts++;
                }
            }
            case 14 -> {
                if (is(name, nameEnd, "content-length")) {
                    lengths++;
                    return digits(value);
                }
            }
            case 17 -> {
                if (is(name, nameEnd, "transfer-encoding")) {
                    codings++;
                    return is(trimmed(value), offset, "chunked");
                }
            }
            default -> {}
        }
        return true;
    }

    private boolean digits(int value) {
        int start = trimmed(value);
        for (int i = start; i < offset; i++) {
            if (!digit(bytes[i])) {
                return false;
            }
        }
        return offset > start && offset - start <= MAX_DIGITS;
    }

    private int trimmed(int value) {
        return value < offset && bytes[value] == ' ' ? value + 1 : value;
    }

    private boolean is(int start, int stop, String word) {
        if (stop - start != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((bytes[start + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Reads a method or a name; false when there is none. */
    private boolean token() {
        byte[] all = bytes; // local copies: this short loop runs for each field of each message
        int max = end;
        int i = offset;
        while (i < max && HttpChars.token(all[i])) {
            i++;
        }
        boolean some = i > offset;
        offset = i;
        return some;
    }

    /** Reads up to the CR that ends the line; false when another byte ends it. */
    private boolean value() {
        offset = SwarSearch.value(bytes, offset, end);
        return offset < end && bytes[offset] == '\r';
    }

    private boolean lineEnd() {
        return next('\r') && next('\n');
    }

    private boolean next(char wanted) {
        return offset < end && bytes[offset++] == wanted;
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }
}
