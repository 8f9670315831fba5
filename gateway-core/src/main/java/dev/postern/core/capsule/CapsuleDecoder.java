package dev.postern.core.capsule;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of a stream of capsules (RFC 9297 section 3.2), which passes on the UDP payloads in it (RFC 9298 section 5).
 *
 * <p>Capsules of an unknown type are skipped while they arrive, whatever length they announce. Datagrams of an unknown context are
 * dropped. Holds at most one incomplete payload. Confined to one thread.
 */
public final class CapsuleDecoder {

    /** Octets of type, length and context in a capsule whose length needs one octet, and the largest such length. */
    private static final int SHORTEST_HEAD = 3;

    private static final int SHORT = 0x3f;

    private final ByteBufAllocator allocator;
    private final Listener listener;
    private Part part = Part.TYPE;
    private long number;
    private int missing;
    private boolean datagram;
    private long rest;
    private @Nullable ByteBuf payload;

    /** Part of a capsule that is read next. */
    private enum Part {
        TYPE,
        LENGTH,
        CONTEXT,
        PAYLOAD,
        SKIPPED,
        MALFORMED
    }

    /** Listener for datagrams. */
    public interface Listener {

        /**
         * Takes a UDP payload of 0 to {@link DatagramCapsule#MAX_PAYLOAD} bytes, which lies in a buffer that may change after the call: a
         * listener that keeps the payload takes a retained slice, or a copy.
         */
        void payload(ByteBuf in, int index, int length);

        /** Signals a datagram of an unknown context, which is dropped. */
        void unknownContext();
    }

    public CapsuleDecoder(ByteBufAllocator allocator, Listener listener) {
        this.allocator = allocator;
        this.listener = listener;
    }

    /**
     * Decodes all readable bytes; the caller keeps the buffer. Returns false when a datagram is malformed or its payload too long; the
     * stream must be aborted then (RFC 9298 section 5).
     */
    public boolean decode(ByteBuf in) {
        while (part != Part.MALFORMED && in.isReadable()) {
            switch (part) {
                case TYPE -> {
                    if (missing > 0 || !smallDatagram(in)) {
                        number(in);
                    }
                }
                case LENGTH, CONTEXT -> number(in);
                case PAYLOAD -> payload(in);
                default -> skip(in);
            }
        }
        return part != Part.MALFORMED;
    }

    /** Returns whether the stream may end here: between two capsules. */
    public boolean complete() {
        return part == Part.TYPE && missing == 0;
    }

    /** Releases an incomplete payload; nothing is decoded any more. */
    public void close() {
        part = Part.MALFORMED;
        if (payload != null) {
            payload.release();
            payload = null;
        }
    }

    /** Decodes a datagram of the shortest form that has arrived as a whole, as a flood consists of; with the same result as number by number. */
    private boolean smallDatagram(ByteBuf in) {
        int begin = in.readerIndex();
        int available = in.readableBytes();
        if (available < SHORTEST_HEAD) {
            return false;
        }
        int head = in.getUnsignedMedium(begin);
        int length = head >> 8; // also of the type, which is 0
        boolean small = length > 0 && length <= SHORT && (head & 0xff) == DatagramCapsule.UDP_CONTEXT;
        if (!small || available < SHORTEST_HEAD - 1 + length) {
            return false;
        }
        in.skipBytes(SHORTEST_HEAD - 1 + length);
        listener.payload(in, begin + SHORTEST_HEAD, length - 1);
        return true;
    }

    private void number(ByteBuf in) {
        int octet = in.readUnsignedByte();
        if (missing == 0) {
            missing = VariableLengthInteger.length(octet) - 1;
            number = VariableLengthInteger.bits(octet);
            if (part == Part.CONTEXT && missing >= rest) {
                part = Part.MALFORMED; // longer than its capsule
                return;
            }
        } else {
            missing--;
            number = number << 8 | octet;
        }
        if (part == Part.CONTEXT) {
            rest--;
        }
        if (missing == 0) {
            numberRead(in);
        }
    }

    private void numberRead(ByteBuf in) {
        switch (part) {
            case TYPE -> {
                datagram = number == DatagramCapsule.TYPE;
                part = Part.LENGTH;
            }
            case LENGTH -> {
                rest = number;
                if (datagram) {
                    part = rest == 0 ? Part.MALFORMED : Part.CONTEXT;
                } else {
                    skipRest();
                }
            }
            default -> {
                if (number != DatagramCapsule.UDP_CONTEXT) {
                    listener.unknownContext();
                    skipRest();
                } else if (rest > DatagramCapsule.MAX_PAYLOAD) {
                    part = Part.MALFORMED;
                } else if (rest == 0) {
                    part = Part.TYPE;
                    listener.payload(in, in.readerIndex(), 0);
                } else {
                    part = Part.PAYLOAD;
                }
            }
        }
    }

    private void payload(ByteBuf in) {
        ByteBuf begun = payload;
        int length = (int) rest;
        if (begun == null && in.readableBytes() >= length) {
            part = Part.TYPE;
            int index = in.readerIndex();
            in.skipBytes(length);
            listener.payload(in, index, length);
            return;
        }
        if (begun == null) {
            begun = allocator.buffer(in.readableBytes(), length);
            payload = begun;
        }
        int n = Math.min(length, in.readableBytes());
        begun.writeBytes(in, n);
        rest -= n;
        if (rest == 0) {
            payload = null;
            part = Part.TYPE;
            listener.payload(begun, 0, begun.readableBytes());
            begun.release();
        }
    }

    private void skipRest() {
        part = rest == 0 ? Part.TYPE : Part.SKIPPED;
    }

    private void skip(ByteBuf in) {
        int n = (int) Math.min(rest, in.readableBytes());
        in.skipBytes(n);
        rest -= n;
        skipRest();
    }
}
