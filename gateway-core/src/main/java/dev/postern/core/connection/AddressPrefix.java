package dev.postern.core.connection;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * What counts as one address: all of IPv4, the first 64 bits of IPv6, since whoever has one address of those has them all.
 *
 * @param family bytes of a whole address, 4 or 16
 */
record AddressPrefix(int family, long bits) {

    private static final int V4 = 4;
    private static final long MAPPED = 0xffffL;

    static AddressPrefix of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        if (bytes.remaining() == V4) {
            return new AddressPrefix(V4, bytes.getInt());
        }
        long upper = bytes.getLong();
        // IPv4 in an IPv6 socket: one /64 would be the whole of it.
        return upper == 0 && bytes.getInt(8) == MAPPED
                ? new AddressPrefix(V4, bytes.getInt(12))
                : new AddressPrefix(16, upper);
    }
}
