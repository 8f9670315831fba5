package dev.postern.core.http1;

import dev.postern.core.http1.codec.HeadLimits;
import java.time.Duration;

/**
 * Limits of a client connection.
 *
 * @param head size limits of a head
 * @param discardBody bytes of an unwanted body that are read and dropped to keep the connection
 * @param headTimeout from the first byte of a head to its last
 * @param bodyIdle time without bytes of an awaited body, until its response begins
 * @param keepAlive lifetime of a connection without an exchange
 * @param pipelineDepth exchanges of one connection at once
 * @param halfClose meaning of a client that ends its output
 */
public record Http1Limits(
        HeadLimits head,
        long discardBody,
        Duration headTimeout,
        Duration bodyIdle,
        Duration keepAlive,
        int pipelineDepth,
        HalfClose halfClose) {

    /** Creates limits with the default number of fields in {@code requestHead} bytes, without half-closed connections. */
    public Http1Limits(
            int requestHead,
            long discardBody,
            Duration headTimeout,
            Duration bodyIdle,
            Duration keepAlive,
            int pipelineDepth) {
        this(
                HeadLimits.of(requestHead),
                discardBody,
                headTimeout,
                bodyIdle,
                keepAlive,
                pipelineDepth,
                HalfClose.REFUSE);
    }

    /** Returns a copy with this meaning of half-closed connections. */
    public Http1Limits with(HalfClose value) {
        return new Http1Limits(head, discardBody, headTimeout, bodyIdle, keepAlive, pipelineDepth, value);
    }
}
