package dev.postern.core.http;

/**
 * Limits of a head.
 *
 * @param bytes of the whole head; in HTTP/2 each field counts 32 more
 * @param fields number of fields; a head of a few kilobytes could hold thousands of short ones
 * @param connectionOptions listed in Connection, empty ones included
 */
public record HeadLimits(int bytes, int fields, int connectionOptions) {

    /** Limits of responses from upstreams. */
    public static final HeadLimits RESPONSES = new HeadLimits(64 * 1024, 1024, 32);
}
