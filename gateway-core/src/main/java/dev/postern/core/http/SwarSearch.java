package dev.postern.core.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** SWAR search: searches for a byte in eight bytes at a time, since most bytes of a head are only skipped. */
public final class SwarSearch {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EVERY_BYTE = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LINE_FEEDS = EVERY_BYTE * '\n';
    private static final long DELETES = EVERY_BYTE * 0x7f;
    private static final long BLANKS = EVERY_BYTE * ' ';

    private SwarSearch() {}

    /** Returns the position of the first line feed in {@code [from, end)}, or -1. */
    public static int lineFeed(byte[] bytes, int from, int end) {
        int i = from;
        for (; i + 8 <= end; i += 8) {
            long zeroes = (long) EIGHT.get(bytes, i) ^ LINE_FEEDS;
            long found = (zeroes - EVERY_BYTE) & ~zeroes & HIGH_BITS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; i < end; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the position of the first byte in {@code [from, end)} that a field value must not contain ({@link HttpChars#value}), or
     * {@code end}.
     */
    public static int value(byte[] bytes, int from, int end) {
        int i = from;
        while (i + 8 <= end) {
            long found = controls((long) EIGHT.get(bytes, i));
            if (found == 0) {
                i += 8;
                continue;
            }
            i += Long.numberOfTrailingZeros(found) >>> 3;
            if (!HttpChars.value(bytes[i])) {
                return i;
            }
            i++; // a tab looks like any other control character
        }
        while (i < end && HttpChars.value(bytes[i])) {
            i++;
        }
        return i;
    }

    /** Sets the high bit of each control character. Only the lowest set bit is exact; bits above it may be false positives. */
    private static long controls(long eight) {
        long deletes = eight ^ DELETES;
        return ((eight - BLANKS) & ~eight | (deletes - EVERY_BYTE) & ~deletes) & HIGH_BITS;
    }
}
