package dev.postern.auth.token;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Value of 32 bytes: a SHA-256 that can be a map key without copying arrays. */
public record Bytes32(long a, long b, long c, long d) {

    public static final int LENGTH = 32;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Returns the 32 bytes that start at {@code offset}. */
    public static Bytes32 at(byte[] bytes, int offset) {
        return new Bytes32(
                (long) LONGS.get(bytes, offset),
                (long) LONGS.get(bytes, offset + 8),
                (long) LONGS.get(bytes, offset + 16),
                (long) LONGS.get(bytes, offset + 24));
    }

    public byte[] toArray() {
        byte[] bytes = new byte[LENGTH];
        LONGS.set(bytes, 0, a);
        LONGS.set(bytes, 8, b);
        LONGS.set(bytes, 16, c);
        LONGS.set(bytes, 24, d);
        return bytes;
    }

    /** Returns the last byte. */
    public byte last() {
        return (byte) d;
    }

    /** Returns four of the bytes, which are a good hash, since all values are digests. */
    @Override
    public int hashCode() {
        return (int) a;
    }

    /** Returns lower-case hex, 64 characters. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(toArray());
    }
}
