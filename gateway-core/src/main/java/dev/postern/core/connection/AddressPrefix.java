package dev.postern.core.connection;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Address prefix that is counted as one client: all 32 bits of IPv4, the first 64 bits of IPv6, since a client with one address of a /64
 * can use the whole /64.
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
        // IPv4-mapped IPv6: all of IPv4 would share one /64.
        return upper == 0 && bytes.getInt(8) == MAPPED
                ? new AddressPrefix(V4, bytes.getInt(12))
                : new AddressPrefix(16, upper);
    }
}
