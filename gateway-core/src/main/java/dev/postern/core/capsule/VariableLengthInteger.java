package dev.postern.core.capsule;

import io.netty.buffer.ByteBuf;

/** Variable-length integer (RFC 9000 section 16): 1, 2, 4 or 8 bytes; the first two bits give the length. */
final class VariableLengthInteger {

    private static final int MAX_1 = 0x3f;
    private static final int MAX_2 = 0x3fff;
    private static final int MAX_4 = 0x3fff_ffff;

    private VariableLengthInteger() {}

    /** Writes a value of 0 to 2^30-1 in its shortest form. */
    static void write(int value, ByteBuf out) {
        if (value <= MAX_1) {
            out.writeByte(value);
        } else if (value <= MAX_2) {
            out.writeShort(value | 0x4000);
        } else if (value <= MAX_4) {
            out.writeInt(value | 0x8000_0000);
        } else {
            throw new IllegalArgumentException("integer: " + value + " (expected: 0.." + MAX_4 + ")");
        }
    }

    /** Returns the length in bytes that the first byte announces. */
    static int length(int firstByte) {
        return 1 << (firstByte >> 6 & 3);
    }

    /** Returns the bits of the value in the first byte. */
    static int bits(int firstByte) {
        return firstByte & MAX_1;
    }
}
