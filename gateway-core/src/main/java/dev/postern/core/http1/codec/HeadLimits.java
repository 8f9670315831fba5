package dev.postern.core.http1.codec;

/**
 * How large a head may be.
 *
 * @param bytes of the whole; each field of HTTP/2 counts 32 beyond its own
 * @param fields however short; a head of a few kilobytes could hold thousands
 * @param connectionOptions listed in Connection, empty ones included
 */
public record HeadLimits(int bytes, int fields, int connectionOptions) {

    private static final int MAX_FIELDS = 256;
    private static final int MAX_OPTIONS = 32;

    /** What upstreams may answer. */
    public static final HeadLimits ANSWERS = new HeadLimits(64 * 1024, 1024, MAX_OPTIONS);

    /** So many bytes, and the default number of fields and options. */
    public static HeadLimits of(int bytes) {
        return new HeadLimits(bytes, MAX_FIELDS, MAX_OPTIONS);
    }
}
