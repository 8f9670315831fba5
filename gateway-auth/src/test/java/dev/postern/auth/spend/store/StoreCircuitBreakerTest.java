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

    private final StoreCircuitBreaker breaker = new StoreCircuitBreaker("test", DEADLINE);

    @Test
    void opensAfterManyFailuresAndProbesAfterHalfASecond() {
        fail(32);
        assertThat(breaker.state()).isEqualTo("open");
        assertThat(breaker.tryEnter()).isFalse();

        breaker.maintain(0);
        breaker.maintain(HALF_A_SECOND - 1);
        assertThat(breaker.tryEnter()).isFalse();
        breaker.maintain(HALF_A_SECOND);

        for (int i = 0; i < 16; i++) {
            assertThat(breaker.tryEnter()).isTrue();
        }
        assertThat(breaker.tryEnter()).isFalse();
        for (int i = 0; i < 16; i++) {
            breaker.good();
        }
        assertThat(breaker.state()).isEqualTo("closed");
    }

    @Test
    void countsHalfASecondFromItsFirstCallAfterItOpened() {
        long opened = TimeUnit.HOURS.toNanos(1);
        fail(32);

        breaker.maintain(opened);
        breaker.maintain(opened + HALF_A_SECOND - 1);
        assertThat(breaker.state()).isEqualTo("open");
        breaker.maintain(opened + HALF_A_SECOND);

        assertThat(breaker.state()).isEqualTo("half-open");
    }

    @Test
    void opensAgainWhenTheProbesFail() {
        fail(32);
        breaker.maintain(0);
        breaker.maintain(HALF_A_SECOND);

        fail(16);

        assertThat(breaker.state()).isEqualTo("open");
    }

    @Test
    void closesAtOnceWhenTheServerHasRecovered() {
        fail(32);

        breaker.verified(true, Long.MAX_VALUE);

        assertThat(breaker.tryEnter()).isTrue();
    }

    @Test
    void dropsFailuresFromBeforeASuccessfulCheck() {
        fail(32);
        breaker.maintain(0);
        breaker.maintain(HALF_A_SECOND);
        fail(15);
        assertThat(breaker.state()).isEqualTo("half-open");

        breaker.verified(false, IN_TIME);

        assertThat(breaker.closed()).isTrue();
        fail(31);
        assertThat(breaker.closed())
                .as("it takes the initial number of failures")
                .isTrue();
        fail(1);
        assertThat(breaker.state()).isEqualTo("open");
    }

    @Test
    void staysOpenForAServerThatIsTooSlowForSpends() {
        fail(32);

        breaker.verified(false, IN_TIME + 1);

        assertThat(breaker.state()).isEqualTo("open");
    }

    @Test
    void keepsItsFailuresWhileClosedDespiteChecks() {
        fail(31);

        breaker.verified(false, IN_TIME);
        fail(1);

        assertThat(breaker.state()).isEqualTo("open");
    }

    /** The breaker's own transition from open throws when it is reset at that moment; a spend would never complete. */
    @Test
    void neverThrowsDuringConcurrentChecks() {
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 100_000; n++) {
                    if (breaker.tryEnter()) {
                        breaker.bad();
                    }
                }
            }));
        }
        long now = 0;
        while (!callers.stream().allMatch(CompletableFuture::isDone)) {
            now += HALF_A_SECOND;
            breaker.maintain(now);
            if (now % 3 == 0) {
                breaker.verified(true, 0);
            }
        }

        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompleted());
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            assertThat(breaker.tryEnter()).isTrue();
            breaker.bad();
        }
    }
}
