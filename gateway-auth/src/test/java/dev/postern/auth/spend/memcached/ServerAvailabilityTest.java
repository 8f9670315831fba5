package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.store.EpochState;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ServerAvailabilityTest {

    private static final long START = 5_000_000_000L;

    private final EpochState state = new EpochState(2, WhenForgotten.ROLL, InstantSource.system());
    private final ServerAvailability availability = new ServerAvailability(state, 2, START);

    @Test
    void leavesOutWhoIsAwayForASecondAndLetsInWhoIsBackForTwo() {
        byte[] all = state.epoch();
        look(0, false, 0);
        look(1, true, 0);
        look(0, false, ServerAvailability.AWAY_NANOS - 1);
        assertThat(state.view().leftOut()).containsExactly(false, false);

        look(0, false, ServerAvailability.AWAY_NANOS);
        assertThat(state.view().leftOut()).containsExactly(true, false);
        assertThat(state.epoch()).isNotEqualTo(all);

        long returned = 2 * ServerAvailability.AWAY_NANOS;
        look(0, true, returned);
        look(0, true, returned + ServerAvailability.BACK_NANOS - 1);
        assertThat(state.view().leftOut()).containsExactly(true, false);
        look(0, true, returned + ServerAvailability.BACK_NANOS);
        assertThat(state.view().leftOut()).containsExactly(false, false);
        assertThat(state.epoch()).as("nothing was forgotten").isEqualTo(all);
    }

    @Test
    void startsAnewWhenSomebodyComesAndGoes() {
        look(1, true, 0);
        look(0, false, 0);
        look(0, true, ServerAvailability.AWAY_NANOS / 2);
        look(0, false, ServerAvailability.AWAY_NANOS);

        assertThat(state.view().leftOut()).containsExactly(false, false);
    }

    @Test
    void neverLeavesOutTheLastOne() {
        look(0, false, 0);
        look(1, false, 0);
        look(0, false, ServerAvailability.AWAY_NANOS);
        look(1, false, ServerAvailability.AWAY_NANOS);

        assertThat(state.view().leftOut()).containsExactly(false, false);
    }

    private void look(int server, boolean responses, long after) {
        availability.look(server, "server", responses, START + after);
    }
}
