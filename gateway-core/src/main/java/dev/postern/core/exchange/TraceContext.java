package dev.postern.core.exchange;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Trace context: identifies one span, as in the field {@code traceparent} (W3C Trace Context).
 *
 * @param high first half of the trace id
 * @param low second half of the trace id; not both halves are 0
 * @param span the span id, never 0
 * @param flags the known bits: {@link #SAMPLED}, and whether the id is random
 */
public record TraceContext(long high, long low, long span, int flags) {

    /** The sender of the context keeps its span. */
    public static final int SAMPLED = 1;

    private static final int KNOWN_FLAGS = 3;
    private static final HexFormat HEX = HexFormat.of();

    // 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
    private static final int VERSION_END = 2;
    private static final int TRACE = 3;
    private static final int TRACE_HALF = 19;
    private static final int TRACE_END = 35;
    private static final int SPAN = 36;
    private static final int SPAN_END = 52;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    public TraceContext {
        if ((high | low) == 0 || span == 0) {
            throw new IllegalArgumentException("trace and span: 0 (expected: other ids)");
        }
    }

    /**
     * Parses the value of that field; returns null for a malformed value. For a version after 00, only the part that version 00 defines is
     * read, as the specification requires; unknown flags are dropped.
     */
    public static @Nullable TraceContext parse(String text) {
        if (!formed(text)) {
            return null;
        }
        long high = HexFormat.fromHexDigitsToLong(text, TRACE, TRACE_HALF);
        long low = HexFormat.fromHexDigitsToLong(text, TRACE_HALF, TRACE_END);
        long span = HexFormat.fromHexDigitsToLong(text, SPAN, SPAN_END);
        if ((high | low) == 0 || span == 0) {
            return null;
        }
        return new TraceContext(high, low, span, HexFormat.fromHexDigits(text, FLAGS, LENGTH) & KNOWN_FLAGS);
    }

    private static boolean formed(String text) {
        if (text.length() < LENGTH || !hex(text, 0, VERSION_END) || text.startsWith("ff")) {
            return false;
        }
        boolean ends = text.length() == LENGTH || !text.startsWith("00") && text.charAt(LENGTH) == '-';
        return ends
                && text.charAt(VERSION_END) == '-'
                && hex(text, TRACE, TRACE_END)
                && text.charAt(TRACE_END) == '-'
                && hex(text, SPAN, SPAN_END)
                && text.charAt(SPAN_END) == '-'
                && hex(text, FLAGS, LENGTH);
    }

    /** Returns whether the text is hexadecimal; lower case only. */
    private static boolean hex(String text, int from, int end) {
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    public boolean sampled() {
        return (flags & SAMPLED) != 0;
    }

    /** Returns another span of the same trace. */
    public TraceContext with(long otherSpan) {
        return new TraceContext(high, low, otherSpan, flags);
    }

    /** Returns the trace id as 32 hexadecimal digits. */
    public String traceId() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /** Returns the span id as 16 hexadecimal digits. */
    public String spanId() {
        return HEX.toHexDigits(span);
    }

    /** Returns the value of {@code traceparent}. */
    public String traceparent() {
        return "00-" + traceId() + '-' + spanId() + '-' + HEX.toHexDigits((byte) flags);
    }
}
