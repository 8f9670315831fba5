package dev.postern.core.http;

/** Character classes of RFC 9110 section 5.6 and RFC 3986, with one table look-up per byte. */
public final class HttpChars {

    private static final byte TOKEN = 1;
    private static final byte VALUE = 2;
    private static final byte HEX = 4;
    private static final byte PATH = 8;
    private static final byte HOST = 16;
    private static final byte QUERY = 32;
    private static final byte[] CLASS = new byte[256];

    static {
        for (int c = 0; c < 256; c++) {
            boolean letterOrDigit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (letterOrDigit || in("!#$%&'*+-.^_`|~", c)) {
                CLASS[c] |= TOKEN;
            }
            if (c == '\t' || (c >= ' ' && c != 0x7f)) {
                CLASS[c] |= VALUE;
            }
            if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) {
                CLASS[c] |= HEX;
            }
            // Wider than RFC 3986, since browsers and scripts send some of these characters unencoded. Excluded are the
            // ambiguous ones: # and blanks, and in a path \, which some servers read as a slash, and " < > whose raw
            // form
            // and escape would be two spellings of one path. No rule reads the query.
            if (c > ' ' && c < 0x7f && c != '#') {
                CLASS[c] |= QUERY;
                if (!in("\\\"<>", c)) {
                    CLASS[c] |= PATH;
                }
            }
            // Narrower than the reg-name of RFC 3986: DNS host names never have its other characters, and a comma or an
            // escape is ambiguous.
            if (letterOrDigit || in("-._~", c)) {
                CLASS[c] |= HOST;
            }
        }
    }

    private HttpChars() {}

    /** Returns whether the byte is a tchar: a character of field names and methods. */
    public static boolean token(byte b) {
        return (CLASS[b & 0xff] & TOKEN) != 0;
    }

    /** Returns whether the byte may stand in a field value: no control character but the tab. */
    public static boolean value(byte b) {
        return (CLASS[b & 0xff] & VALUE) != 0;
    }

    public static boolean hex(byte b) {
        return (CLASS[b & 0xff] & HEX) != 0;
    }

    public static boolean hex(char c) {
        return c < 256 && (CLASS[c] & HEX) != 0;
    }

    /** Returns the value of a hexadecimal digit, without a look-up. */
    public static int digit(byte hex) {
        return (hex & 0xf) + 9 * (hex >> 6); // letters have bit 6, and end with 1 to 6
    }

    /** Returns whether the byte may stand in the path of a request target. */
    public static boolean path(byte b) {
        return (CLASS[b & 0xff] & PATH) != 0;
    }

    /** Returns whether the byte may stand in the query of a request target. */
    public static boolean query(byte b) {
        return (CLASS[b & 0xff] & QUERY) != 0;
    }

    /** Returns whether the character may stand in a host name. */
    public static boolean host(char c) {
        return c < 256 && (CLASS[c] & HOST) != 0;
    }

    private static boolean in(String set, int c) {
        return set.indexOf(c) >= 0;
    }
}
