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

    /** Bytes that are parsed from an array, where each costs a fraction of what it costs in a buffer: heads, and tiny capsules as a whole. */
    private static final int BLOCK = 64;

    private final ByteBufAllocator allocator;
    private final Listener listener;
    private final byte[] block = new byte[BLOCK];
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
                case TYPE, LENGTH, CONTEXT -> block(in);
                case PAYLOAD -> payload(in);
                default -> in.skipBytes(skipped(in.readableBytes()));
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

    /** Decodes from the begin or within the head of a capsule to the end of a block, or to a payload that is not complete in it. */
    private void block(ByteBuf in) {
        int begin = in.readerIndex();
        int end = Math.min(BLOCK, in.readableBytes());
        in.getBytes(begin, block, 0, end);
        int next = complete() ? small(in, end) : 0;
        while (next < end && part != Part.MALFORMED) {
            if (part == Part.SKIPPED) {
                next += skipped(end - next);
            } else {
                number(block[next] & 0xff);
                next++;
            }
            if (part == Part.PAYLOAD) {
                int length = (int) rest;
                if (length > end - next) {
                    break;
                }
                part = Part.TYPE;
                listener.payload(in, begin + next, length);
                next += length;
            }
        }
        in.skipBytes(next);
    }

    /**
     * Decodes capsules that lie in the block as a whole and whose integers have one byte each, at a third of the cost; returns where another
     * one begins. Says nothing of a malformed one, which is left to the general way.
     */
    private int small(ByteBuf in, int end) {
        int begin = in.readerIndex();
        int next = 0;
        while (complete() && end - next > 2 && oneByteEach(next) && next + 2 + block[next + 1] <= end) {
            int length = block[next + 1];
            if (block[next] == DatagramCapsule.TYPE) {
                if (length == 0) {
                    break;
                }
                if (block[next + 2] == DatagramCapsule.UDP_CONTEXT) {
                    listener.payload(in, begin + next + 3, length - 1);
                } else {
                    listener.unknownContext();
                }
            }
            next += 2 + length;
        }
        return next;
    }

    private boolean oneByteEach(int index) {
        return ((block[index] | block[index + 1] | block[index + 2]) & 0xc0) == 0;
    }

    private void number(int octet) {
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
            numberRead();
        }
    }

    private void numberRead() {
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

    /** Returns how many of the next bytes are skipped. */
    private int skipped(int available) {
        int n = (int) Math.min(rest, available);
        rest -= n;
        skipRest();
        return n;
    }
}
