package dev.postern.core.net;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * NAT64 prefixes: IPv6 prefixes whose addresses a translator in the network connects to the IPv4 address inside them (RFC 6052 section 2).
 * The position of that address depends on the length of the prefix. Of several prefixes that contain an address the longest applies, as in
 * routing. Immutable.
 */
public final class Nat64Prefixes {

    /** The expected form of a prefix. */
    public static final String EXPECTED =
            "the prefix of a NAT64 translator, of 32, 40, 48, 56, 64 or 96 bits, such as 64:ff9b::/96; its other bits, and bits 64"
                    + " to 71, are 0";

    private static final List<Integer> LENGTHS = List.of(32, 40, 48, 56, 64, 96);
    private static final int BYTES = 16;
    private static final int IPV4_BYTES = 4;

    /** Byte that is 0 in every address of a translator (RFC 6052 section 2.2), and is skipped by the IPv4 address. */
    private static final int RESERVED_BYTE = 8;

    private final List<Prefix> longestFirst;

    private Nat64Prefixes(List<Prefix> longestFirst) {
        this.longestFirst = longestFirst;
    }

    /** Parses each text; throws {@link IllegalArgumentException} with value and expectation. */
    public static Nat64Prefixes of(List<String> texts) {
        return new Nat64Prefixes(texts.stream()
                .map(Nat64Prefixes::prefix)
                .sorted(Comparator.comparingInt(Prefix::length).reversed())
                .toList());
    }

    /** Returns whether the text is one prefix. */
    public static boolean isPrefix(String text) {
        try {
            prefix(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Prefix prefix(String text) {
        int slash = text.indexOf('/');
        byte @Nullable [] base =
                slash < 0 ? null : NetUtil.createByteArrayFromIpAddressString(text.substring(0, slash));
        int index =
                slash < 0 ? -1 : LENGTHS.stream().map(String::valueOf).toList().indexOf(text.substring(slash + 1));
        if (base == null || base.length != BYTES || index < 0) {
            throw new IllegalArgumentException(text + " (expected: " + EXPECTED + ")");
        }
        int length = LENGTHS.get(index);
        boolean mapped = address(base).getAddress().length < BYTES; // read as IPv4 everywhere
        if (!zero(base, length / 8) || base[RESERVED_BYTE] != 0 || mapped) {
            throw new IllegalArgumentException(text + " (expected: " + EXPECTED + ")");
        }
        return new Prefix(base, length);
    }

    private static boolean zero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the address is inside a prefix, so that a translator may connect to an IPv4 address instead. */
    public boolean contains(InetAddress address) {
        return longest(address.getAddress()) != null;
    }

    /**
     * Returns the IPv4 address that a translator connects to; null when no prefix contains the address, and when the bits around the IPv4
     * address are not 0, so that it is not known where a translator reads it.
     */
    public @Nullable InetAddress embedded(InetAddress address) {
        byte[] bytes = address.getAddress();
        Prefix prefix = longest(bytes);
        if (prefix == null) {
            return null;
        }
        byte[] inside = new byte[IPV4_BYTES];
        int at = prefix.length() / 8;
        for (int i = 0; i < IPV4_BYTES; i++) {
            at = at == RESERVED_BYTE ? at + 1 : at;
            inside[i] = bytes[at++];
        }
        boolean plain = bytes[RESERVED_BYTE] == 0 && zero(bytes, Math.max(at, RESERVED_BYTE));
        return plain ? address(inside) : null;
    }

    static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // thrown for other lengths only
        }
    }

    private @Nullable Prefix longest(byte[] address) {
        for (Prefix prefix : longestFirst) {
            if (prefix.contains(address)) {
                return prefix;
            }
        }
        return null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Nat64Prefixes that && longestFirst.equals(that.longestFirst);
    }

    @Override
    public int hashCode() {
        return longestFirst.hashCode();
    }

    private record Prefix(byte[] base, int length) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Prefix that && length == that.length && Arrays.equals(base, that.base);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(base) + length;
        }

        boolean contains(byte[] address) {
            if (address.length != base.length) {
                return false;
            }
            for (int i = 0; i < length / 8; i++) {
                if (address[i] != base[i]) {
                    return false;
                }
            }
            return true;
        }
    }
}
