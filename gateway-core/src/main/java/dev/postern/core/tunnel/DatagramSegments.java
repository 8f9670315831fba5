package dev.postern.core.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Successive datagrams of one length, joined in one buffer that the kernel cuts into datagrams again (UDP_SEGMENT of Linux): many cost
 * little more than one. A plain object, confined to one thread.
 */
final class DatagramSegments {

    /** Datagrams of one buffer: UDP_MAX_SEGMENTS of Linux, which newer kernels doubled. */
    static final int MAX_COUNT = 64;

    /** Bytes of one buffer: the largest payload of UDP over IPv4. */
    static final int MAX_BYTES = 65_507;

    /** Bytes of a datagram that fits a link with 1,500 bytes, by IPv6: the kernel refuses segments that are longer than the link takes. */
    static final int MAX_LENGTH = 1_452;

    /** Datagrams that a new buffer has room for; it grows. */
    private static final int FIRST_COUNT = 8;

    private final ByteBufAllocator allocator;
    private @Nullable ByteBuf joined;
    private int length;
    private int count;
    private boolean complete;

    DatagramSegments(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Returns the length of each datagram but the last, which may be shorter. */
    int length() {
        return length;
    }

    int count() {
        return count;
    }

    /** Adds a datagram and takes ownership; returns false, and takes nothing, when it can't be cut out of the same buffer. */
    boolean add(ByteBuf datagram) {
        int size = datagram.readableBytes();
        ByteBuf earlier = joined;
        if (earlier == null) {
            length = size;
            joined = datagram;
        } else if (complete || size > length || count == MAX_COUNT || (count + 1) * length > MAX_BYTES) {
            return false;
        } else {
            joined = append(earlier, datagram);
        }
        count++;
        complete = size < length || size > MAX_LENGTH;
        return true;
    }

    /** Gives up the ownership of the buffer with all datagrams, one after the other; null when there are none. */
    @Nullable
    ByteBuf take() {
        ByteBuf taken = joined;
        joined = null;
        count = 0;
        complete = false;
        return taken;
    }

    private ByteBuf append(ByteBuf earlier, ByteBuf datagram) {
        ByteBuf all = earlier;
        if (count == 1) {
            int max = Math.min(MAX_BYTES, MAX_COUNT * length);
            all = allocator
                    .directBuffer(Math.min(max, FIRST_COUNT * length), max)
                    .writeBytes(earlier);
            earlier.release();
        }
        all.writeBytes(datagram);
        datagram.release();
        return all;
    }
}
