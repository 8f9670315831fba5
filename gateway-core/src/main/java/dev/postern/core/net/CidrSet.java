package dev.postern.core.net;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** Set of address ranges in CIDR notation ({@code 10.0.0.0/8}, {@code ::1}); IPv4-mapped IPv6 addresses count as IPv4. */
public final class CidrSet {

    public static final CidrSet NONE = new CidrSet(List.of());

    /** Bits before the IPv4 address in an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
    private static final int MAPPED_BITS = 96;

    private final List<Range> ranges;

    private CidrSet(List<Range> ranges) {
        this.ranges = ranges;
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

    public boolean contains(InetAddress address) {
        if (ranges.isEmpty()) {
            return false;
        }
        byte[] bytes = unmapped(address.getAddress());
        for (Range range : ranges) {
            if (range.contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
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
        return new Range(base, prefix);
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
        return other instanceof CidrSet that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    private record Range(byte[] base, int prefix) {

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
