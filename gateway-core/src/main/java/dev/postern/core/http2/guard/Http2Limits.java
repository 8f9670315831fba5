package dev.postern.core.http2.guard;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Key;
import dev.postern.core.config.Rate;
import java.time.Duration;

/**
 * Limits of HTTP/2 connections, section {@code http2} of the configuration, in addition to the limits of all protocols. If a client exceeds
 * a budget, the gateway sends GOAWAY with the name of the budget.
 */
public record Http2Limits(
        @Key(
                defaultValue = "128",
                min = "1",
                max = "10000",
                description = "Maximum concurrent streams of a connection; a further one is refused (REFUSED_STREAM).")
        int maxStreams,

        @Key(
                defaultValue = "64KiB",
                min = "1KiB",
                max = "64MiB",
                description = "Flow-control window of a stream; the window of the connection is 16 times as large.")
        ByteSize streamWindow,

        @Key(
                defaultValue = "4MiB",
                min = "1KiB",
                max = "64MiB",
                description =
                        "Bytes to which the window of a stream grows while its body is read as fast as it arrives; the"
                                + " window of the connection grows by as much. Towards `h2` upstreams likewise. At or below"
                                + " `stream-window`: no growth.")
        ByteSize maxWindow,

        @Key(
                defaultValue = "4KiB",
                min = "0",
                max = "64KiB",
                description = "Size of the HPACK dynamic table, each direction.")
        ByteSize headerTable,

        @Key(
                formerly = "continuations",
                defaultValue = "8",
                min = "1",
                max = "1000",
                description =
                        "Maximum CONTINUATION frames of one field section, or as many as `limits.request-head` needs.")
        int maxContinuations,

        @Key(
                defaultValue = "60s",
                min = "100ms",
                max = "1h",
                description = "Maximum time without window for a response; then the stream is reset (CANCEL), or the"
                        + " connection ends.")
        Duration windowTimeout,

        @Key(
                formerly = "reset-budget",
                defaultValue = "400/m",
                min = "1/h",
                description =
                        "Rate of streams that the client opens and resets, in bursts of a whole period; one more for each"
                                + " exchange that an upstream completes.")
        Rate maxResets,

        @Key(
                formerly = "fault-budget",
                defaultValue = "200/m",
                min = "1/h",
                description =
                        "Rate of streams that the gateway resets because of client errors, in bursts of a whole period; one"
                                + " more for each exchange that an upstream completes.")
        Rate maxStreamErrors,

        @Key(
                formerly = "control-budget",
                defaultValue = "600/m",
                min = "1/h",
                description =
                        "Rate of SETTINGS, PING, GOAWAY and empty frames, each kind separately, in bursts of a whole"
                                + " period. Acknowledgements and the PINGs with which gRPC measures what it receives are"
                                + " free.")
        Rate maxControlFrames) {

    /** Window of a connection, in windows of its streams. */
    static final int WINDOWS = 16;

    /** Returns the bytes of all bodies of a connection that may be sent before they are read. */
    public int connectionWindow() {
        return (int) streamWindow.bytes() * WINDOWS;
    }
}
