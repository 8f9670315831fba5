package dev.postern.core.http2.guard;

import java.util.Locale;

/** What a client can use up; the name is in the GOAWAY that ends its connection, in the log and in the meter. */
public enum AbuseLimit {
    /** Streams that the client opened and took back (CVE-2023-44487). */
    RESETS,
    /** Streams that the client made us reset (CVE-2025-8671). */
    FAULTS,
    SETTINGS,
    PINGS,
    /** Frames of DATA, HEADERS and CONTINUATION that hold nothing and end nothing. */
    EMPTY_FRAMES,
    /** PRIORITY frames, by the requests they came with. */
    PRIORITIES,
    /** Frames of unknown types, by the requests they came with. */
    UNKNOWN_FRAMES,
    /** WINDOW_UPDATE frames, by the data that they make room for. */
    WINDOW_UPDATES,
    /** CONTINUATION frames of one field block (VU#421644). */
    CONTINUATIONS,
    /** Bytes of one field block, compressed. */
    FIELD_BLOCK,
    /** Bytes of one field section, unpacked. */
    FIELD_SECTION,
    /** Time from the first byte of a field block to its last. */
    HEAD_TIMEOUT,
    /** Time for which the client lets nothing out. */
    WINDOW_TIMEOUT;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
