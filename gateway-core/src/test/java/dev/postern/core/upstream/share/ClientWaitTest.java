package dev.postern.core.upstream.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how long a client counts as awaited. */
class ClientWaitTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final ClientWait wait = new ClientWait();

    @Test
    void countsOnlyTheTimeInWhichTheGatewayWaits() {
        assertThat(wait.nanos(9 * SECOND)).isZero();
        wait.start(10 * SECOND);
        wait.start(11 * SECOND);
        assertThat(wait.nanos(12 * SECOND)).isEqualTo(2 * SECOND);
        wait.stop(13 * SECOND);
        assertThat(wait.nanos(20 * SECOND)).isEqualTo(3 * SECOND);
        wait.start(20 * SECOND);
        assertThat(wait.nanos(21 * SECOND)).isEqualTo(4 * SECOND);
        wait.restart(22 * SECOND);
        assertThat(wait.nanos(22 * SECOND)).isZero();
    }

    @Test
    void aClientAtTenTimesTheRateIsNeverAwaitedLong() {
        wait.start(0);
        for (int second = 1; second <= 600; second++) {
            assertThat(wait.nanos(second * SECOND)).isLessThanOrEqualTo(SECOND);
            wait.moved(10 * ClientWait.BYTES_PER_SECOND, second * SECOND);
            assertThat(wait.nanos(second * SECOND)).isZero();
        }
    }

    @Test
    void aByteNowAndThenDoesNotHelp() {
        wait.start(0);
        for (int second = 1; second <= 6; second++) {
            wait.moved(1, second * SECOND);
        }
        assertThat(wait.nanos(6 * SECOND)).isGreaterThan(5 * SECOND);
    }

    @Test
    void manyBytesAreNoCreditForLater() {
        wait.start(0);
        wait.moved(1 << 30, SECOND);
        assertThat(wait.nanos(7 * SECOND)).isEqualTo(6 * SECOND);
    }
}
