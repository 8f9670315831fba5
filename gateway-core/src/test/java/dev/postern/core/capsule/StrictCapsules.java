package dev.postern.core.capsule;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream of capsules by the grammar of RFC 9297 section 3.2 and RFC 9298 section 5, from all bytes at once; a second reading to compare
 * the decoder with.
 *
 * @param events {@code payload HEX} and {@code unknown}, in order
 * @param malformed whether the stream must be aborted
 * @param complete whether the stream ends between two capsules
 */
record StrictCapsules(List<String> events, boolean malformed, boolean complete) {

    static StrictCapsules read(byte[] bytes) {
        List<String> events = new ArrayList<>();
        int offset = 0;
        while (offset < bytes.length) {
            @Nullable BigInteger type = integer(bytes, offset, bytes.length);
            int lengthAt = offset + size(bytes, offset);
            @Nullable BigInteger length = type == null ? null : integer(bytes, lengthAt, bytes.length);
            if (type == null || length == null) {
                return new StrictCapsules(events, false, false);
            }
            int valueAt = lengthAt + size(bytes, lengthAt);
            BigInteger end = BigInteger.valueOf(valueAt).add(length);
            boolean whole = end.compareTo(BigInteger.valueOf(bytes.length)) <= 0;
            int valueEnd = whole ? end.intValue() : bytes.length;
            if (type.signum() == 0) {
                boolean well = datagram(bytes, valueAt, valueEnd, length, events);
                if (!well) {
                    return new StrictCapsules(events, true, false);
                }
            }
            if (!whole) {
                return new StrictCapsules(events, false, false);
            }
            offset = valueEnd;
        }
        return new StrictCapsules(events, false, true);
    }

    private static boolean datagram(byte[] bytes, int start, int end, BigInteger length, List<String> events) {
        if (length.signum() == 0) {
            return false;
        }
        if (start == end) {
            return true;
        }
        int context = size(bytes, start);
        if (BigInteger.valueOf(context).compareTo(length) > 0) {
            return false;
        }
        @Nullable BigInteger id = integer(bytes, start, end);
        if (id == null) {
            return true;
        }
        if (id.signum() != 0) {
            events.add("unknown");
            return true;
        }
        BigInteger payload = length.subtract(BigInteger.valueOf(context));
        if (payload.compareTo(BigInteger.valueOf(65_527)) > 0) {
            return false;
        }
        if (payload.intValue() == end - start - context) {
            events.add("payload " + HexFormat.of().formatHex(Arrays.copyOfRange(bytes, start + context, end)));
        }
        return true;
    }

    private static int size(byte[] bytes, int offset) {
        return offset < bytes.length ? 1 << ((bytes[offset] & 0xff) >> 6) : 0;
    }

    private static @Nullable BigInteger integer(byte[] bytes, int offset, int end) {
        int size = size(bytes, offset);
        if (offset >= end || offset + size > end) {
            return null;
        }
        byte[] value = Arrays.copyOfRange(bytes, offset, offset + size);
        value[0] &= 0x3f;
        return new BigInteger(1, value);
    }
}
