package dev.postern.core.http1.codec;

/**
 * Limits of a head.
 *
 * @param bytes of the whole head; in HTTP/2 each field counts 32 more
 * @param fields number of fields; a head of a few kilobytes could hold thousands of short ones
 * @param connectionOptions listed in Connection, empty ones included
 */
public record HeadLimits(int bytes, int fields, int connectionOptions) {

    private static final int MAX_FIELDS = 256;
    private static final int MAX_OPTIONS = 32;

    /** Limits of responses from upstreams. */
    public static final HeadLimits RESPONSES = new HeadLimits(64 * 1024, 1024, MAX_OPTIONS);

    /** Returns limits of this many bytes, and the default number of fields and options. */
    public static HeadLimits of(int bytes) {
        return new HeadLimits(bytes, MAX_FIELDS, MAX_OPTIONS);
    }
}
