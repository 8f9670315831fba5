package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the grammar that credentials and challenges share, over the bytes of one field value (RFC 9110 section 11.2 to 11.4):
 *
 * <pre>
 * scheme [ 1*SP ( token68 / [ param ] *( OWS "," OWS [ param ] ) ) ]
 * param = token BWS "=" BWS ( token [ "=" [ "=" ] ] / quoted-string )
 * </pre>
 *
 * <p>The equals signs behind a bare value are not the RFC's: they are the padding of base64url, which other implementations leave
 * unquoted (ADR 9).
 *
 * <p>One cursor reads one value once. Nothing it returns outlives a change of the bytes except {@link Param#text()}.
 */
final class AuthHeaderParser {

    /** More parameters than anybody sends; a bound for the search of repeated names. */
    private static final int MAX_PARAMS = 32;

    private static final boolean[] TCHAR = tchars();

    private final byte[] bytes;
    private final int end;
    private int offset;

    AuthHeaderParser(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.offset = start;
        this.end = end;
    }

    AuthHeaderParser(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    boolean atEnd() {
        return offset >= end;
    }

    /** Whether the next bytes are a token; moves behind it and leaves its place in the result, or null. */
    @Nullable
    Span token() {
        int start = offset;
        while (offset < end && TCHAR[bytes[offset] & 0xff]) {
            offset++;
        }
        return offset == start ? null : new Span(bytes, start, offset);
    }

    /** Moves over any number of blanks; true if there was one at least. */
    boolean spaces() {
        int start = offset;
        while (offset < end && bytes[offset] == ' ') {
            offset++;
        }
        return offset > start;
    }

    /** Moves over optional white space, blanks and tabs. */
    void white() {
        while (offset < end && (bytes[offset] == ' ' || bytes[offset] == '\t')) {
            offset++;
        }
    }

    boolean take(char c) {
        if (offset < end && bytes[offset] == c) {
            offset++;
            return true;
        }
        return false;
    }

    /** The next parameter; null, and the position as before, when there is none that is well-formed. */
    @Nullable
    Param param() {
        int start = offset;
        Span name = token();
        if (name != null) {
            white();
            if (take('=')) {
                white();
                Span value = offset < end && bytes[offset] == '"' ? quoted() : bare();
                if (value != null) {
                    return new Param(name, value);
                }
            }
        }
        offset = start;
        return null;
    }

    /** All parameters up to the end of the value; null when anything else is there, or a name twice. */
    @Nullable
    List<Param> paramsToEnd() {
        List<Param> params = new ArrayList<>(4);
        boolean separated = true;
        while (true) {
            white();
            if (atEnd()) {
                return params;
            }
            if (take(',')) {
                separated = true;
                continue;
            }
            Param param = separated ? param() : null;
            if (param == null || !mayJoin(params, param)) {
                return null;
            }
            params.add(param);
            separated = false;
        }
    }

    /** Whether one more parameter may be added: their number is bounded, and no name stands twice. */
    static boolean mayJoin(List<Param> params, Param param) {
        if (params.size() == MAX_PARAMS) {
            return false;
        }
        for (Param earlier : params) {
            if (earlier.name().equalsIgnoreCase(param.name())) {
                return false;
            }
        }
        return true;
    }

    /** A token and the padding behind it; whether it belongs there, whoever decodes the value knows. */
    private @Nullable Span bare() {
        Span value = token();
        if (value == null || !take('=')) {
            return value;
        }
        take('=');
        return new Span(bytes, value.start(), offset);
    }

    /** A quoted-string (RFC 9110 section 5.6.4), its quotes and backslashes undone; null when it is broken. */
    private @Nullable Span quoted() {
        int start = ++offset;
        boolean escaped = false;
        while (offset < end) {
            int c = bytes[offset] & 0xff;
            if (c == '"') {
                Span raw = new Span(bytes, start, offset++);
                return escaped ? raw.unescaped() : raw;
            }
            if (c == '\\') {
                escaped = true;
                offset++;
                if (offset == end) {
                    return null;
                }
                c = bytes[offset] & 0xff;
            }
            if (c < ' ' && c != '\t' || c == 0x7f) {
                return null;
            }
            offset++;
        }
        return null;
    }

    private static boolean[] tchars() {
        boolean[] tchars = new boolean[256];
        String all = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < all.length(); i++) {
            tchars[all.charAt(i)] = true;
        }
        return tchars;
    }

    /** A parameter: name and value without quotes. */
    record Param(Span name, Span value) {

        boolean named(String lowerCase) {
            return name.equalsIgnoreCase(lowerCase);
        }

        String text() {
            return value.text();
        }
    }

    /** Some bytes in a row. */
    record Span(byte[] bytes, int start, int end) {

        boolean equalsIgnoreCase(String lowerCase) {
            return equalsIgnoreCase(new Span(lowerCase.getBytes(ISO_8859_1), 0, lowerCase.length()));
        }

        boolean equalsIgnoreCase(Span other) {
            if (end - start != other.end - other.start) {
                return false;
            }
            for (int i = 0; i < end - start; i++) {
                if (lower(bytes[start + i]) != lower(other.bytes[other.start + i])) {
                    return false;
                }
            }
            return true;
        }

        String text() {
            return new String(bytes, start, end - start, ISO_8859_1);
        }

        Span unescaped() {
            byte[] plain = new byte[end - start];
            int length = 0;
            for (int i = start; i < end; i++) {
                if (bytes[i] == '\\') {
                    i++;
                }
                plain[length++] = bytes[i];
            }
            return new Span(plain, 0, length);
        }

        private static int lower(byte b) {
            return b >= 'A' && b <= 'Z' ? b | 0x20 : b;
        }
    }
}
