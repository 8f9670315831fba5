package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;

/** Name of a field, ready for comparisons: lower-case ASCII bytes and their hash (RFC 9110 section 5.1: names are case-insensitive). */
public final class FieldName {

    public static final FieldName ACCEPT = of("accept");
    public static final FieldName ACCEPT_LANGUAGE = of("accept-language");
    public static final FieldName AUTHORIZATION = of("authorization");
    public static final FieldName CACHE_CONTROL = of("cache-control");
    public static final FieldName CAPSULE_PROTOCOL = of("capsule-protocol");
    public static final FieldName CONNECTION = of("connection");
    public static final FieldName CONTENT_LENGTH = of("content-length");
    public static final FieldName CONTENT_TYPE = of("content-type");
    public static final FieldName COOKIE = of("cookie");
    public static final FieldName DATE = of("date");
    public static final FieldName EXPECT = of("expect");
    public static final FieldName FORWARDED = of("forwarded");
    public static final FieldName HOST = of("host");
    public static final FieldName KEEP_ALIVE = of("keep-alive");
    public static final FieldName LOCATION = of("location");
    public static final FieldName MAX_FORWARDS = of("max-forwards");
    public static final FieldName PROXY_AUTHENTICATE = of("proxy-authenticate");
    public static final FieldName PROXY_AUTHORIZATION = of("proxy-authorization");
    public static final FieldName PROXY_CONNECTION = of("proxy-connection");
    public static final FieldName PROXY_STATUS = of("proxy-status");
    public static final FieldName RATE_LIMIT = of("ratelimit");
    public static final FieldName RATE_LIMIT_POLICY = of("ratelimit-policy");
    public static final FieldName RETRY_AFTER = of("retry-after");
    public static final FieldName SEC_FETCH_DEST = of("sec-fetch-dest");
    public static final FieldName SEC_FETCH_MODE = of("sec-fetch-mode");
    public static final FieldName SERVER_TIMING = of("server-timing");
    public static final FieldName SET_COOKIE = of("set-cookie");
    public static final FieldName TE = of("te");
    public static final FieldName TRACEPARENT = of("traceparent");
    public static final FieldName TRACESTATE = of("tracestate");
    public static final FieldName TRAILER = of("trailer");
    public static final FieldName TRANSFER_ENCODING = of("transfer-encoding");
    public static final FieldName UPGRADE = of("upgrade");
    public static final FieldName USER_AGENT = of("user-agent");
    public static final FieldName VIA = of("via");
    public static final FieldName WWW_AUTHENTICATE = of("www-authenticate");
    public static final FieldName X_FORWARDED_FOR = of("x-forwarded-for");
    public static final FieldName X_FORWARDED_HOST = of("x-forwarded-host");
    public static final FieldName X_FORWARDED_PORT = of("x-forwarded-port");
    public static final FieldName X_FORWARDED_PROTO = of("x-forwarded-proto");

    /** Members of list-valued fields, compared like names. */
    public static final FieldName CHUNKED = of("chunked");

    public static final FieldName CLOSE = of("close");
    public static final FieldName TRAILERS = of("trailers");

    private final String text;
    private final byte[] bytes;
    private final int hash;

    private FieldName(String text) {
        this.text = text;
        this.bytes = text.getBytes(US_ASCII);
        this.hash = hash(bytes, 0, bytes.length);
    }

    /** Returns the name in lower case; expects a token of RFC 9110 section 5.6.2. */
    public static FieldName of(String name) {
        return new FieldName(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the hash of a name in any case; the head parsers compute the same hash while they read. */
    public static int hash(byte[] bytes, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + (bytes[i] | 0x20);
        }
        return hash;
    }

    int hash() {
        return hash;
    }

    /** Returns whether the bytes spell this name, in any case. */
    boolean matches(byte[] other, int start, int length) {
        if (length != bytes.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            byte b = other[start + i];
            if (b != bytes[i] && !(b >= 'A' && b <= 'Z' && (b | 0x20) == bytes[i])) {
                return false;
            }
        }
        return true;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldName name && text.equals(name.text);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
