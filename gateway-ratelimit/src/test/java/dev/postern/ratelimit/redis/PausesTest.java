package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PausesTest {

    private static final long SECOND = 1_000_000;

    private final Pauses pauses = new Pauses();
    private long now = 1_000 * SECOND;

    private void run(long seconds) {
        for (long i = 0; i < 4 * seconds; i++) {
            now += SECOND / 4;
            pauses.look(now);
        }
    }

    private void pause(long micros) {
        now += micros;
        pauses.look(now);
    }

    @Test
    void aProcessThatRunsHasNone() {
        run(100);
        pause(SECOND);
        assertThat(pauses.within(1_000 * SECOND)).isZero();
    }

    @Test
    void theStartIsNone() {
        pauses.look(now);
        assertThat(pauses.within(SECOND)).isZero();
    }

    @Test
    void aPauseCountsUntilEachClientHadTheTimeToBeHeard() {
        run(10);
        pause(25 * SECOND);
        run(19);
        assertThat(pauses.within(20 * SECOND)).isEqualTo(25 * SECOND);
        run(1);
        assertThat(pauses.within(20 * SECOND)).isZero();
        assertThat(pauses.within(60 * SECOND)).isEqualTo(25 * SECOND);
    }

    @Test
    void pausesAddUp() {
        run(10);
        pause(25 * SECOND);
        run(5);
        pause(7 * SECOND);
        assertThat(pauses.within(20 * SECOND)).isEqualTo(32 * SECOND);
        run(16);
        assertThat(pauses.within(20 * SECOND)).isEqualTo(7 * SECOND);
    }
}
