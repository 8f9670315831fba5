package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.core.testing.LogLines;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ServerAvailabilityTest {

    private static final long START = 5_000_000_000L;

    private final EpochState state = new EpochState(2, WhenForgotten.ROLL, InstantSource.system());
    private final ServerAvailability availability = new ServerAvailability(state, 2, START);

    @Test
    void excludesAServerAfterASecondAndIncludesItAfterTwo() {
        byte[] all = state.epoch();
        report(0, false, 0);
        report(1, true, 0);
        report(0, false, ServerAvailability.UNAVAILABLE_NANOS - 1);
        assertThat(state.view().leftOut()).containsExactly(false, false);

        report(0, false, ServerAvailability.UNAVAILABLE_NANOS);
        assertThat(state.view().leftOut()).containsExactly(true, false);
        assertThat(state.epoch()).isNotEqualTo(all);

        long returned = 2 * ServerAvailability.UNAVAILABLE_NANOS;
        report(0, true, returned);
        report(0, true, returned + ServerAvailability.BACK_NANOS - 1);
        assertThat(state.view().leftOut()).containsExactly(true, false);
        report(0, true, returned + ServerAvailability.BACK_NANOS);
        assertThat(state.view().leftOut()).containsExactly(false, false);
        assertThat(state.epoch()).as("no data was lost").isEqualTo(all);
    }

    @Test
    void logsOnceWhenAServerIsLeftOutAndOnceWhenItDecidesAgain() {
        try (LogLines log = new LogLines(ServerAvailability.class)) {
            report(0, true, 0);
            report(0, true, ServerAvailability.BACK_NANOS);
            assertThat(log.lines()).as("was never left out").isEmpty();

            long lost = 2 * ServerAvailability.BACK_NANOS;
            for (int second = 0; second < 4; second++) {
                report(0, false, lost + second * ServerAvailability.UNAVAILABLE_NANOS);
            }
            assertThat(log.lines())
                    .containsExactly("memcached server is away: left out, the other copies decide; challenges change");

            long returned = 2 * lost;
            for (int round = 0; round < 4; round++) {
                report(0, true, returned + round * ServerAvailability.BACK_NANOS);
            }
            assertThat(log.lines())
                    .hasSize(2)
                    .last()
                    .isEqualTo("memcached server is back: it decides again; challenges change");
        }
    }

    @Test
    void restartsItsTimersOnEachChange() {
        report(1, true, 0);
        report(0, false, 0);
        report(0, true, ServerAvailability.UNAVAILABLE_NANOS / 2);
        report(0, false, ServerAvailability.UNAVAILABLE_NANOS);

        assertThat(state.view().leftOut()).containsExactly(false, false);
    }

    @Test
    void neverExcludesTheLastServer() {
        report(0, false, 0);
        report(1, false, 0);
        report(0, false, ServerAvailability.UNAVAILABLE_NANOS);
        report(1, false, ServerAvailability.UNAVAILABLE_NANOS);

        assertThat(state.view().leftOut()).containsExactly(false, false);
    }

    private void report(int server, boolean responses, long seconds) {
        availability.report(server, "server", responses, START + seconds);
    }

    @Test
    void countsEachServerAsAvailableFromTheStart() {
        report(0, false, 0);
        report(0, false, ServerAvailability.UNAVAILABLE_NANOS);

        assertThat(state.view().leftOut())
                .as("the other one was not reported yet")
                .containsExactly(true, false);
    }

    @Test
    void countsAnOutageFromItsBegin() {
        report(0, true, 10 * ServerAvailability.BACK_NANOS);
        report(0, false, 10 * ServerAvailability.BACK_NANOS);
        report(0, false, 10 * ServerAvailability.BACK_NANOS + ServerAvailability.UNAVAILABLE_NANOS - 1);
        assertThat(state.view().leftOut()).containsExactly(false, false);
        report(0, false, 10 * ServerAvailability.BACK_NANOS + ServerAvailability.UNAVAILABLE_NANOS);

        assertThat(state.view().leftOut()).containsExactly(true, false);
    }
}
