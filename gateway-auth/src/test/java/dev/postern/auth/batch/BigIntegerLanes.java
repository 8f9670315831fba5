package dev.postern.auth.batch;

import dev.postern.auth.key.RsaKey;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Lanes without a library, for tests on any machine; counts the calls. */
public class BigIntegerLanes implements RsaLanes {

    private final AtomicInteger calls;
    private final @Nullable BigInteger[] numbers = new BigInteger[COUNT];
    private final @Nullable RsaKey[] keys = new RsaKey[COUNT];
    private final byte[][] results = new byte[COUNT][RsaKey.LENGTH];

    BigIntegerLanes() {
        this(new AtomicInteger());
    }

    BigIntegerLanes(AtomicInteger calls) {
        this.calls = calls;
    }

    /** Returns a provider of such lanes, which passed the self-test; {@code calls} counts the calls after it. */
    public static BatchProvider provider(AtomicInteger calls) {
        BatchProvider provider = BatchProvider.of("BigInteger", () -> new BigIntegerLanes(calls));
        calls.set(0);
        return provider;
    }

    @Override
    public void fill(int lane, RsaKey key, byte[] bytes, int offset) {
        numbers[lane] = new BigInteger(1, Arrays.copyOfRange(bytes, offset, offset + RsaKey.LENGTH));
        keys[lane] = key;
    }

    @Override
    public void empty(int lane) {
        numbers[lane] = null;
    }

    @Override
    public int compute() {
        calls.incrementAndGet();
        int computed = 0;
        for (int lane = 0; lane < COUNT; lane++) {
            BigInteger number = numbers[lane];
            RsaKey key = keys[lane];
            if (number != null && key != null) {
                results[lane] = unsigned(number.modPow(key.exponent(), key.modulus()));
                computed |= 1 << lane;
            }
        }
        return computed;
    }

    @Override
    public void result(int lane, byte[] target) {
        System.arraycopy(results[lane], 0, target, 0, RsaKey.LENGTH);
    }

    static byte[] unsigned(BigInteger number) {
        byte[] signed = number.toByteArray();
        byte[] bytes = new byte[RsaKey.LENGTH];
        int length = Math.min(signed.length, bytes.length);
        System.arraycopy(signed, signed.length - length, bytes, bytes.length - length, length);
        return bytes;
    }
}
