package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the grammar that credentials and challenges share, over the bytes of one field value (RFC 9110 sections 11.2 to 11.4):
 *
 * <pre>
 * scheme [ 1*SP ( token68 / [ param ] *( OWS "," OWS [ param ] ) ) ]
 * param = token BWS "=" BWS ( token [ "=" [ "=" ] ] / quoted-string )
 * </pre>
 *
 * <p>The equals signs after a bare value are not in the RFC: they are the padding of base64url, which other implementations leave unquoted
 * (ADR 9).
 *
 * <p>A parser reads one value once. Its results are valid while the bytes do not change, except {@link Param#text()}.
 */
final class AuthHeaderParser {

    /** Maximum number of parameters; bounds the search for repeated names. */
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

    /** Reads a token and moves past it. Returns null when the next bytes are not a token. */
    @Nullable
    Span token() {
        int start = offset;
        while (offset < end && TCHAR[bytes[offset] & 0xff]) {
            offset++;
        }
        return offset == start ? null : new Span(bytes, start, offset);
    }

    /** Skips spaces. Returns whether there was at least one. */
    boolean spaces() {
        int start = offset;
        while (offset < end && bytes[offset] == ' ') {
            offset++;
        }
        return offset > start;
    }

    /** Skips optional whitespace (spaces and tabs). */
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

    /** Reads the next parameter. Returns null, and keeps the position, when there is no well-formed one. */
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

    /** Reads all parameters up to the end of the value. Returns null when there is anything else, or a repeated name. */
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

    /** Returns whether one more parameter may be added: their number is bounded, and names must be unique. */
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

    /** Reads a token and the padding after it; the decoder of the value checks the padding. */
    private @Nullable Span bare() {
        Span value = token();
        if (value == null || !take('=')) {
            return value;
        }
        take('=');
        return new Span(bytes, value.start(), offset);
    }

    /** Reads a quoted-string (RFC 9110 section 5.6.4) and unescapes it. Returns null when it is malformed. */
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

    /** Parameter: name, and value without quotes. */
    record Param(Span name, Span value) {

        boolean named(String lowerCase) {
            return name.equalsIgnoreCase(lowerCase);
        }

        String text() {
            return value.text();
        }
    }

    /** Span of bytes. */
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
