package dev.postern.core.http;

/** The character classes of RFC 9110 section 5.6 and RFC 3986, one look-up per byte. */
public final class HttpChars {

    private static final byte TOKEN = 1;
    private static final byte VALUE = 2;
    private static final byte HEX = 4;
    private static final byte TARGET = 8;
    private static final byte HOST = 16;
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
            // Wider than RFC 3986, since browsers send some of these raw; what could be read two ways stays out: # \
            // and blanks.
            if (c > ' ' && c < 0x7f && c != '#' && c != '\\' && c != '"' && c != '<' && c != '>') {
                CLASS[c] |= TARGET;
            }
            // Narrower than the reg-name of RFC 3986: no host of the DNS has its other characters, and a comma or an
            // escape could be read two ways.
            if (letterOrDigit || in("-._~", c)) {
                CLASS[c] |= HOST;
            }
        }
    }

    private HttpChars() {}

    /** tchar: names of fields and methods. */
    public static boolean token(byte b) {
        return (CLASS[b & 0xff] & TOKEN) != 0;
    }

    /** What a field value may hold: no control character but the tab. */
    public static boolean value(byte b) {
        return (CLASS[b & 0xff] & VALUE) != 0;
    }

    public static boolean hex(byte b) {
        return (CLASS[b & 0xff] & HEX) != 0;
    }

    public static boolean hex(char c) {
        return c < 256 && (CLASS[c] & HEX) != 0;
    }

    /** What a request target may hold. */
    public static boolean target(byte b) {
        return (CLASS[b & 0xff] & TARGET) != 0;
    }

    /** What a host name may hold. */
    public static boolean host(char c) {
        return c < 256 && (CLASS[c] & HOST) != 0;
    }

    private static boolean in(String set, int c) {
        return set.indexOf(c) >= 0;
    }
}
