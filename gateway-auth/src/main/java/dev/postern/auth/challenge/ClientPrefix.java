package dev.postern.auth.challenge;

import java.net.InetAddress;
import java.util.Arrays;

/** Prefix of a client's address, its network: 24 bits of an IPv4 address, 56 bits of an IPv6 one, which one household or egress keeps. */
public final class ClientPrefix {

    private static final int V4_BYTES = 3;
    private static final int V6_BYTES = 7;

    private ClientPrefix() {}

    /** Returns 3 or 7 bytes; the length distinguishes the two families. */
    public static byte[] of(InetAddress address) {
        byte[] bytes = address.getAddress();
        return Arrays.copyOf(bytes, bytes.length == 4 ? V4_BYTES : V6_BYTES);
    }

    /** Returns the same prefix as one number, with the family in its uppermost byte. */
    public static long number(InetAddress address) {
        byte[] bytes = address.getAddress();
        int kept = bytes.length == 4 ? V4_BYTES : V6_BYTES;
        long number = kept;
        for (int i = 0; i < kept; i++) {
            number = number << 8 | bytes[i] & 0xff;
        }
        return number;
    }
}
