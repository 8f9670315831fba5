package dev.postern.core.net;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Set of address ranges in CIDR notation ({@code 10.0.0.0/8}, {@code ::1}); IPv4-mapped IPv6 addresses count as IPv4. Two ranges of one family
 * are either apart, or one contains the other: without the contained ones the last range that begins at or before an address is the only one
 * that may contain it, and is found by halving. Immutable.
 */
public final class CidrSet {

    public static final CidrSet NONE = new CidrSet(List.of());

    /** Bits before the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
    private static final int MAPPED_BITS = 96;

    private static final int IPV4_BYTES = 4;

    private final List<Range> ipv4;
    private final List<Range> ipv6;

    private CidrSet(List<Range> ranges) {
        List<Range> sorted = new ArrayList<>(ranges);
        sorted.sort(Range.ORDER);
        this.ipv4 = outermost(sorted, true);
        this.ipv6 = outermost(sorted, false);
    }

    /** Parses each text; throws {@link IllegalArgumentException} with value and expectation. */
    public static CidrSet of(List<String> texts) {
        return new CidrSet(texts.stream().map(CidrSet::range).toList());
    }

    /** Returns whether the text is one range. */
    public static boolean isRange(String text) {
        try {
            range(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the ranges of one family that no other contains; those that contain others stand before them. */
    private static List<Range> outermost(List<Range> sorted, boolean ipv4) {
        List<Range> kept = new ArrayList<>();
        for (Range range : sorted) {
            boolean ofFamily = range.base().length == IPV4_BYTES == ipv4;
            if (ofFamily && (kept.isEmpty() || !kept.get(kept.size() - 1).contains(range.base()))) {
                kept.add(range);
            }
        }
        return List.copyOf(kept);
    }

    public boolean contains(InetAddress address) {
        if (isEmpty()) {
            return false;
        }
        byte[] bytes = unmapped(address.getAddress());
        List<Range> ranges = bytes.length == IPV4_BYTES ? ipv4 : ipv6;
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Arrays.compareUnsigned(ranges.get(middle).base(), bytes) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && ranges.get(low - 1).contains(bytes);
    }

    public boolean isEmpty() {
        return ipv4.isEmpty() && ipv6.isEmpty();
    }

    private static Range range(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            throw new IllegalArgumentException(text + " (expected: an address range such as 10.0.0.0/8 or fd00::/8)");
        }
        int bits = bytes.length * 8;
        int prefix = bits;
        if (slash >= 0) {
            try {
                prefix = Integer.parseInt(text.substring(slash + 1));
            } catch (NumberFormatException e) {
                prefix = -1;
            }
            if (prefix < 0 || prefix > bits) {
                throw new IllegalArgumentException(text + " (expected: a prefix length of 0.." + bits + ")");
            }
        }
        byte[] base = unmapped(bytes);
        if (base.length < bytes.length) {
            prefix -= MAPPED_BITS;
            if (prefix < 0) {
                throw new IllegalArgumentException(text + " (expected: a prefix length of " + MAPPED_BITS + "..128)");
            }
        }
        return Range.of(base, prefix);
    }

    /** Returns the four bytes of an IPv4-mapped IPv6 address; any other address as it is. */
    public static byte[] unmapped(byte[] bytes) {
        if (bytes.length != 16 || bytes[10] != -1 || bytes[11] != -1) {
            return bytes;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return bytes;
            }
        }
        return Arrays.copyOfRange(bytes, 12, 16);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CidrSet that && ipv4.equals(that.ipv4) && ipv6.equals(that.ipv6);
    }

    @Override
    public int hashCode() {
        return 31 * ipv4.hashCode() + ipv6.hashCode();
    }

    /**
     * Range of addresses.
     *
     * @param base its first address
     */
    private record Range(byte[] base, int prefix) {

        private static final Comparator<Range> ORDER =
                Comparator.comparing(Range::base, Arrays::compareUnsigned).thenComparingInt(Range::prefix);

        /** @param address any address of the range */
        static Range of(byte[] address, int prefix) {
            byte[] base = address.clone();
            for (int i = 0; i < base.length; i++) {
                int fixed = Math.max(0, Math.min(Byte.SIZE, prefix - i * Byte.SIZE));
                base[i] &= (byte) (0xff << Byte.SIZE - fixed);
            }
            return new Range(base, prefix);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Range that && prefix == that.prefix && Arrays.equals(base, that.base);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(base) + prefix;
        }

        boolean contains(byte[] address) {
            if (address.length != base.length) {
                return false;
            }
            int whole = prefix / 8;
            for (int i = 0; i < whole; i++) {
                if (address[i] != base[i]) {
                    return false;
                }
            }
            int rest = prefix % 8;
            return rest == 0 || (address[whole] ^ base[whole]) >> (8 - rest) == 0;
        }
    }
}
