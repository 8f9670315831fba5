package dev.postern.core.capsule;

import io.netty.buffer.ByteBuf;

/**
 * DATAGRAM capsule of a UDP payload (RFC 9297 section 3.5, RFC 9298 section 5): type 0, length, context identifier 0, payload. Written in
 * the shortest form.
 */
public final class DatagramCapsule {

    /** Type of the capsule. */
    static final int TYPE = 0;

    /** Context identifier of UDP payloads. */
    static final int UDP_CONTEXT = 0;

    /** Maximum bytes of a UDP payload in one capsule (RFC 9298 section 5). */
    public static final int MAX_PAYLOAD = 65_527;

    /** Maximum bytes that the capsule adds to its payload: type, length, context identifier. */
    public static final int MAX_OVERHEAD = 6;

    private DatagramCapsule() {}

    /** Writes the readable bytes of the payload as one capsule; the caller keeps the payload. */
    public static void write(ByteBuf payload, ByteBuf out) {
        int length = payload.readableBytes();
        VariableLengthInteger.write(TYPE, out);
        VariableLengthInteger.write(length + 1, out);
        VariableLengthInteger.write(UDP_CONTEXT, out);
        out.writeBytes(payload, payload.readerIndex(), length);
    }
}
