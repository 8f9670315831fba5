package dev.postern.core.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Prefix of a client's address, which all addresses of one client or of one network share. IPv4-mapped IPv6 addresses count as IPv4:
 * otherwise all of IPv4 would be one network. {@link ClientNetworks} creates the prefixes by which clients are counted.
 *
 * @param ipv6 whether the address is an IPv6 address that is not IPv4-mapped
 * @param length in bits, a multiple of 8 up to 64
 * @param bits the first bits of the address, the first one uppermost; zero after {@code length} bits
 */
public record AddressPrefix(boolean ipv6, int length, long bits) {

    /** Returns the prefix that counts as one client: all of IPv4, 64 bits of IPv6, since a client with one address of a /64 can use all of it. */
    public static AddressPrefix ofClient(InetAddress address) {
        return of(address, 32, 64);
    }

    /** Returns the prefix that a household or egress keeps when its address changes: 24 bits of IPv4, 56 bits of IPv6. */
    public static AddressPrefix ofNetwork(InetAddress address) {
        return of(address, 24, 56);
    }

    public static AddressPrefix of(InetAddress address, int ipv4Length, int ipv6Length) {
        ByteBuffer bytes = ByteBuffer.wrap(CidrSet.unmapped(address.getAddress()));
        boolean ipv6 = bytes.remaining() > Integer.BYTES;
        int length = ipv6 ? ipv6Length : ipv4Length;
        long first = ipv6 ? bytes.getLong() : (long) bytes.getInt() << Integer.SIZE;
        return new AddressPrefix(ipv6, length, first & -1L << Long.SIZE - length);
    }

    /** Returns the bytes of the prefix; their number distinguishes the families where the two lengths differ. */
    public byte[] bytes() {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(bits).array();
        return Arrays.copyOf(all, length / Byte.SIZE);
    }

    /** Returns the prefix as one number: the number of its bytes, then its bits; for prefixes of at most 56 bits. */
    public long number() {
        return (long) (length / Byte.SIZE) << length | bits >>> Long.SIZE - length;
    }

    /** Returns the prefix in CIDR notation. */
    @Override
    public String toString() {
        try {
            byte[] whole = Arrays.copyOf(bytes(), ipv6 ? 2 * Long.BYTES : Integer.BYTES);
            return InetAddress.getByAddress(whole).getHostAddress() + '/' + length;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address: " + length + " bits (expected: an address of 4 or 16 bytes)", e);
        }
    }
}
