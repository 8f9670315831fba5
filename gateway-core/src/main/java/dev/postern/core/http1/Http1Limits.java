package dev.postern.core.http1;

import dev.postern.core.http1.codec.HeadLimits;
import java.time.Duration;

/**
 * How much and how long a client connection may take.
 *
 * @param head how large a head may be
 * @param discardBody bytes of a body that nobody wants which are read away to keep the connection
 * @param headTimeout from the first byte of a head to its last
 * @param bodyIdle a body that is awaited may be silent for so long, until its response begins
 * @param keepAlive a connection without an exchange lives for so long
 * @param pipelineDepth exchanges of one connection at once
 */
public record Http1Limits(
        HeadLimits head,
        long discardBody,
        Duration headTimeout,
        Duration bodyIdle,
        Duration keepAlive,
        int pipelineDepth) {

    public static final Http1Limits DEFAULTS = new Http1Limits(
            16 * 1024, 64 * 1024, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), 8);

    /** With the default number of fields in {@code requestHead} bytes. */
    public Http1Limits(
            int requestHead,
            long discardBody,
            Duration headTimeout,
            Duration bodyIdle,
            Duration keepAlive,
            int pipelineDepth) {
        this(HeadLimits.of(requestHead), discardBody, headTimeout, bodyIdle, keepAlive, pipelineDepth);
    }
}
