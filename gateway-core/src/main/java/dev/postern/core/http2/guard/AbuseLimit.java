package dev.postern.core.http2.guard;

import java.util.Locale;

/** Abuse limit of a connection; its label is the reason in the GOAWAY frame, in the log and in the meter. */
public enum AbuseLimit {
    /** Streams that the client opened and reset (CVE-2023-44487). */
    RESETS,
    /** Streams that the gateway had to reset because of the client (CVE-2025-8671). */
    FAULTS,
    SETTINGS,
    PINGS,
    /** GOAWAY frames: one or two end a connection, which lives on until its streams have ended. */
    GOAWAYS,
    /** PUSH_PROMISE frames, which no peer of the gateway may send. */
    PUSHES,
    /** DATA, HEADERS and CONTINUATION frames that are empty and end nothing. */
    EMPTY_FRAMES,
    /** PRIORITY frames, in proportion to requests. */
    PRIORITIES,
    /** Frames of unknown types, in proportion to requests. */
    UNKNOWN_FRAMES,
    /** HEADERS and DATA frames of streams that have ended, in proportion to the streams that the gateway has reset. */
    LATE_FRAMES,
    /** WINDOW_UPDATE frames, in proportion to the data sent. */
    WINDOW_UPDATES,
    /** CONTINUATION frames of one field block (VU#421644). */
    CONTINUATIONS,
    /** Bytes of one field block, compressed. */
    FIELD_BLOCK,
    /** Bytes of one field section, decompressed. */
    FIELD_SECTION,
    /** Time from the first byte of a field block to its last. */
    HEAD_TIMEOUT,
    /** Time for which the client's windows allow no data. */
    WINDOW_TIMEOUT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
