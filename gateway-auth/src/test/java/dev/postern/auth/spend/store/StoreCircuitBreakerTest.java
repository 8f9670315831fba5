package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoreCircuitBreakerTest {

    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

    private static final Duration DEADLINE = Duration.ofMillis(50);
    private static final long IN_TIME = DEADLINE.toNanos();

    private final StoreCircuitBreaker fuse = new StoreCircuitBreaker("test", DEADLINE);

    @Test
    void opensAfterManyFailuresAndProbesAfterHalfASecond() {
        fail(32);
        assertThat(fuse.state()).isEqualTo("open");
        assertThat(fuse.tryEnter()).isFalse();

        fuse.tend(0);
        fuse.tend(HALF_A_SECOND - 1);
        assertThat(fuse.tryEnter()).isFalse();
        fuse.tend(HALF_A_SECOND);

        for (int i = 0; i < 16; i++) {
            assertThat(fuse.tryEnter()).isTrue();
        }
        assertThat(fuse.tryEnter()).isFalse();
        for (int i = 0; i < 16; i++) {
            fuse.good();
        }
        assertThat(fuse.state()).isEqualTo("closed");
    }

    @Test
    void opensAgainWhenTheProbesFail() {
        fail(32);
        fuse.tend(0);
        fuse.tend(HALF_A_SECOND);

        fail(16);

        assertThat(fuse.state()).isEqualTo("open");
    }

    @Test
    void closesAtOnceWhenTheServerIsKnownToBeBack() {
        fail(32);

        fuse.verified(true, Long.MAX_VALUE);

        assertThat(fuse.tryEnter()).isTrue();
    }

    @Test
    void forgetsWhatFailedBeforeTheServerRespondedACheckInTime() {
        fail(32);
        fuse.tend(0);
        fuse.tend(HALF_A_SECOND);
        fail(15);
        assertThat(fuse.state()).isEqualTo("half-open");

        fuse.verified(false, IN_TIME);

        assertThat(fuse.closed()).isTrue();
        fail(31);
        assertThat(fuse.closed()).as("it takes as many as at first").isTrue();
        fail(1);
        assertThat(fuse.state()).isEqualTo("open");
    }

    @Test
    void leavesAServerAloneThatIsTooSlowForSpends() {
        fail(32);

        fuse.verified(false, IN_TIME + 1);

        assertThat(fuse.state()).isEqualTo("open");
    }

    @Test
    void goesOnCountingWhileItIsClosedWhateverChecksSay() {
        fail(31);

        fuse.verified(false, IN_TIME);
        fail(1);

        assertThat(fuse.state()).isEqualTo("open");
    }

    /** The breaker's own way out of open throws when it is reset at that moment; a spend would never be answered. */
    @Test
    void neverThrowsWhileItIsTended() {
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 100_000; n++) {
                    if (fuse.tryEnter()) {
                        fuse.bad();
                    }
                }
            }));
        }
        long now = 0;
        while (!callers.stream().allMatch(CompletableFuture::isDone)) {
            now += HALF_A_SECOND;
            fuse.tend(now);
            if (now % 3 == 0) {
                fuse.verified(true, 0);
            }
        }

        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompleted());
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(fuse.tryEnter()).isTrue();
            fuse.bad();
        }
    }
}
