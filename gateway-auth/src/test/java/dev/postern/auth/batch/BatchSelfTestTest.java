package dev.postern.auth.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.key.RsaKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that lanes with wrong arithmetic are never used. */
class BatchSelfTestTest {

    @Test
    void acceptsRightLanes() {
        BatchProvider provider = BatchProvider.of("some.so", BigIntegerLanes::new);

        assertThat(provider.available()).isTrue();
        assertThat(provider.description().name()).isEqualTo("crypto_mb");
        assertThat(provider.description().why()).contains("some.so").contains("self-test");
        assertThat(provider.description().perSecond()).isPositive();
    }

    @Test
    void refusesLanesThatAreMixedUp() {
        refuses(new BigIntegerLanes() {
            @Override
            public void result(int lane, byte[] target) {
                super.result((lane + 1) % COUNT, target);
            }
        });
    }

    @Test
    void refusesLanesThatReportTheStatusOfAnotherLane() {
        refuses(new BigIntegerLanes() {
            @Override
            public int compute() {
                int computed = super.compute();
                return (computed << 1 | computed >> 7) & 0xff;
            }
        });
    }

    @Test
    void refusesLanesThatReportNoStatus() {
        refuses(new BigIntegerLanes() {
            @Override
            public int compute() {
                super.compute();
                return 0xff;
            }
        });
        refuses(new BigIntegerLanes() {
            @Override
            public int compute() {
                super.compute();
                return 0;
            }
        });
    }

    @Test
    void refusesLanesThatUseOneModulusForAll() {
        refuses(new BigIntegerLanes() {
            private @Nullable RsaKey first;

            @Override
            public void fill(int lane, RsaKey key, byte[] bytes, int offset) {
                RsaKey used = lane == 0 || first == null ? key : first;
                first = used;
                super.fill(lane, used, bytes, offset);
            }
        });
    }

    @Test
    void refusesLanesThatKeepTheirFirstModulus() {
        refuses(new BigIntegerLanes() {
            private final Map<Integer, RsaKey> first = new HashMap<>();

            @Override
            public void fill(int lane, RsaKey key, byte[] bytes, int offset) {
                first.putIfAbsent(lane, key);
                super.fill(lane, Objects.requireNonNull(first.get(lane)), bytes, offset);
            }
        });
    }

    @Test
    void refusesLanesThatComputeNothing() {
        refuses(new BigIntegerLanes() {
            @Override
            public void result(int lane, byte[] target) {
                Arrays.fill(target, (byte) 0);
            }
        });
    }

    @Test
    void saysWhyALibraryCannotBeUsed() {
        BatchProvider none = BatchProvider.none("no such library");

        assertThat(none.available()).isFalse();
        assertThat(none.description().name()).isEqualTo("none");
        assertThat(none.description().why()).isEqualTo("no such library");
        assertThatThrownBy(none::verifier).hasMessageContaining("expected: a library");
        assertThatThrownBy(() -> CryptoMb.load(List.of("libno-such-library.so.1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching(".*(Java 17|libno-such-library).*");
    }

    @Test
    void isPassedByEachProviderOnce() {
        AtomicInteger calls = new AtomicInteger();
        BatchProvider provider = BatchProvider.of("some.so", () -> new BigIntegerLanes(calls));
        int tested = calls.get();

        provider.verifier();

        assertThat(tested).isPositive();
        assertThat(calls).hasValue(tested);
    }

    private static void refuses(RsaLanes lanes) {
        assertThatThrownBy(() -> BatchProvider.of("wrong", () -> lanes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("self-test");
    }
}
