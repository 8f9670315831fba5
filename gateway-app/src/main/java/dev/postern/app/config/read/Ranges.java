package dev.postern.app.config.read;

import io.netty.util.NetUtil;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Union of address ranges, for warnings of ranges that contain every client. */
final class Ranges {

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;
    private static final BigInteger MAPPED = BigInteger.valueOf(0xffffL).shiftLeft(IPV4_BITS);

    private Ranges() {}

    /** Returns {@code IPv4} or {@code IPv6} if the union of valid ranges contains every address of that family; else null. */
    static @Nullable String everything(List<String> ranges) {
        List<Block> blocks = ranges.stream().map(Block::of).toList();
        return full(blocks, IPV4_BITS) ? "IPv4" : full(blocks, IPV6_BITS) ? "IPv6" : null;
    }

    /** Returns whether the blocks cover all addresses of that length without a gap. */
    private static boolean full(List<Block> blocks, int bits) {
        BigInteger reached = BigInteger.ZERO;
        List<Block> inOrder = blocks.stream()
                .filter(block -> block.bits() == bits)
                .sorted(Comparator.comparing(Block::first))
                .toList();
        for (Block block : inOrder) {
            if (block.first().compareTo(reached) <= 0) {
                reached = reached.max(block.end());
            }
        }
        return reached.equals(BigInteger.ONE.shiftLeft(bits));
    }

    /** Block of addresses of one range; the end is exclusive. */
    private record Block(int bits, BigInteger first, BigInteger end) {

        static Block of(String range) {
            String[] parts = range.split("/", 2);
            byte[] bytes = Objects.requireNonNull(NetUtil.createByteArrayFromIpAddressString(parts[0]), range);
            int bits = bytes.length * 8;
            int free = parts.length == 1 ? 0 : bits - Integer.parseInt(parts[1]);
            BigInteger first = new BigInteger(1, bytes).shiftRight(free).shiftLeft(free);
            boolean mapped = bits == IPV6_BITS
                    && free <= IPV4_BITS
                    && first.shiftRight(IPV4_BITS).equals(MAPPED.shiftRight(IPV4_BITS));
            BigInteger base = mapped ? first.subtract(MAPPED) : first;
            return new Block(mapped ? IPV4_BITS : bits, base, base.add(BigInteger.ONE.shiftLeft(free)));
        }
    }
}
