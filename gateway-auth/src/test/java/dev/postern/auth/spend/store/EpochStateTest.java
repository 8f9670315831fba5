package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EpochStateTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};
    private static final Instant UNTIL = Instant.parse("2026-11-20T10:00:00Z");

    @Test
    void acceptsOnlyTheServersMarkerAndTheEpochOfTheToken() {
        EpochState state = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        byte[] oldEpoch = state.epoch();
        assertThat(state.observed(0, FIRST)).isFalse();
        byte[] epoch = state.epoch();

        assertThat(epoch).isNotEqualTo(oldEpoch);
        assertThat(state.isFresh(0, FIRST, epoch, UNTIL)).isTrue();
        assertThat(state.isFresh(0, FIRST, oldEpoch, UNTIL)).isFalse();
        assertThat(state.isFresh(0, SECOND, epoch, UNTIL)).isFalse();
        assertThat(state.isFresh(0, null, epoch, UNTIL)).isFalse();
        assertThat(state.isFresh(1, FIRST, epoch, UNTIL)).isFalse();
        assertThat(state.isFresh(1, new byte[0], epoch, UNTIL)).isFalse();
    }

    @Test
    void changesTheEpochExactlyWithEachMarker() {
        EpochState state = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        state.observed(0, FIRST);
        byte[] epoch = state.epoch();

        assertThat(state.observed(0, FIRST.clone())).isFalse();
        assertThat(state.epoch()).isEqualTo(epoch);
        assertThat(state.observed(0, SECOND)).isTrue();
        assertThat(state.epoch()).isNotEqualTo(epoch);
    }

    @Test
    void changesTheEpochOnceForMarkersReadTogether() {
        List<EpochState> states = new ArrayList<>();
        List<byte[]> epochs = new ArrayList<>();
        EpochState state = new EpochState(2, WhenForgotten.ROLL, () -> {
            states.forEach(read -> epochs.add(read.epoch())); // between two markers
            return UNTIL;
        });
        states.add(state);
        state.observed(Map.of(0, FIRST, 1, FIRST));
        byte[] epoch = state.epoch();

        assertThat(state.observed(Map.of(0, SECOND, 1, SECOND))).isTrue();

        assertThat(epochs).isNotEmpty().containsOnly(epoch);
        assertThat(state.epoch()).isNotEqualTo(epoch);
    }

    @Test
    void distinguishesServers() {
        EpochState one = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        EpochState other = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        one.observed(0, FIRST);
        other.observed(1, FIRST);

        assertThat(one.epoch()).isNotEqualTo(other.epoch());
    }

    @Test
    void refusesTokensThatMayBeLostUntilTheirEnd() {
        EpochState state = new EpochState(1, WhenForgotten.REFUSE, CLOCK);
        state.observed(0, FIRST);
        byte[] epoch = state.epoch();
        state.asked(UNTIL);
        assertThat(state.isFresh(0, FIRST, epoch, UNTIL)).isTrue();

        state.observed(0, SECOND);

        assertThat(state.epoch()).isEqualTo(epoch);
        assertThat(state.isFresh(0, SECOND, epoch, UNTIL)).isFalse();
        assertThat(state.isFresh(0, SECOND, epoch, UNTIL.plusSeconds(1))).isTrue();
    }

    @Test
    void acceptsWhenConfigured() {
        EpochState state = new EpochState(1, WhenForgotten.ACCEPT, CLOCK);
        state.observed(0, FIRST);
        byte[] epoch = state.epoch();
        state.asked(UNTIL);

        state.observed(0, SECOND);

        assertThat(state.epoch()).isEqualTo(epoch);
        assertThat(state.isFresh(0, SECOND, epoch, UNTIL)).isTrue();
    }

    @Test
    void refusesTokensWithoutEpochOfKeysOlderThanTheServersData() {
        for (WhenForgotten configured : new WhenForgotten[] {WhenForgotten.ROLL, WhenForgotten.REFUSE}) {
            EpochState state = new EpochState(1, configured, CLOCK);
            state.observed(0, FIRST);
            assertThat(state.isEndlessFresh(0, FIRST, Instant.EPOCH)).isTrue();
            assertThat(state.isEndlessFresh(0, SECOND, Instant.EPOCH)).isFalse();
            assertThat(state.isEndlessFresh(0, null, Instant.EPOCH)).isFalse();

            state.observed(0, SECOND);

            assertThat(state.isEndlessFresh(0, SECOND, Instant.EPOCH)).isFalse();
            assertThat(state.isEndlessFresh(0, SECOND, Instant.now().minusSeconds(60)))
                    .isFalse();
            assertThat(state.isEndlessFresh(0, SECOND, Instant.now().plusSeconds(60)))
                    .as("a key that is new")
                    .isTrue();
        }
    }

    @Test
    void acceptsTokensWithoutEpochWhenLossIsAccepted() {
        EpochState state = new EpochState(1, WhenForgotten.ACCEPT, CLOCK);
        state.observed(0, FIRST);
        state.observed(0, SECOND);

        assertThat(state.isEndlessFresh(0, SECOND, Instant.EPOCH)).isTrue();
        assertThat(state.isEndlessFresh(0, FIRST, Instant.EPOCH)).isFalse();
    }

    @Test
    void usesMarkersOfOtherGatewaysUntilItReadsThem() {
        EpochState state = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        byte[] oldEpoch = state.epoch();
        state.heard(0, FIRST);
        assertThat(state.marker(0)).isEqualTo(FIRST);
        assertThat(state.marker(1)).isEmpty();
        assertThat(state.epoch()).isNotEqualTo(oldEpoch);

        byte[] heard = state.epoch();
        state.heard(0, SECOND);
        assertThat(state.marker(0)).as("the previous marker").isEqualTo(FIRST);
        assertThat(state.epoch()).isEqualTo(heard);
        assertThat(state.observed(0, SECOND)).isTrue();
    }

    @Test
    void changesTheEpochWithTheExcludedServers() {
        EpochState state = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        state.observed(0, FIRST);
        state.observed(1, SECOND);
        byte[] all = state.epoch();

        assertThat(state.leaveOut(1, false)).isFalse();
        assertThat(state.leaveOut(1, true)).isTrue();
        assertThat(state.leaveOut(1, true)).isFalse();
        assertThat(state.view().leftOut()).containsExactly(false, true);
        byte[] one = state.epoch();
        assertThat(one).isNotEqualTo(all);
        assertThat(state.leaveOut(0, true)).isTrue();
        assertThat(state.leaveOut(1, false)).isTrue();
        assertThat(state.epoch())
                .as("the other server excluded")
                .isNotEqualTo(one)
                .isNotEqualTo(all);
        assertThat(state.leaveOut(0, false)).isTrue();
        assertThat(state.epoch()).isEqualTo(all);
    }

    @Test
    void comparesTheEpochThatATokenHas() {
        EpochState state = new EpochState(1, WhenForgotten.ROLL, CLOCK);
        state.observed(0, FIRST);
        byte[] early = state.epoch();
        state.observed(0, SECOND);
        byte[] key = new byte[Redemption.KEY_LENGTH];

        Redemption windowed = new Redemption(key, UNTIL);
        assertThat(state.isFresh(0, SECOND, windowed, state.epoch())).isTrue();
        assertThat(state.isFresh(0, SECOND, windowed, early)).isFalse();
        Redemption old = Redemption.endless(key, UNTIL, Instant.EPOCH);
        assertThat(state.isFresh(0, SECOND, old, state.epoch())).isFalse();
        Redemption young = Redemption.endless(key, UNTIL, Instant.now().plusSeconds(60));
        assertThat(state.isFresh(0, SECOND, young, early)).isTrue();
    }

    @Test
    void hasNoEpochUnlessChallengesChangeAfterALoss() {
        for (WhenForgotten configured : new WhenForgotten[] {WhenForgotten.REFUSE, WhenForgotten.ACCEPT}) {
            EpochState state = new EpochState(1, configured, CLOCK);
            state.observed(0, FIRST);

            assertThat(state.epoch()).as("when-forgotten: %s", configured).isEmpty();
        }
    }

    @Test
    void refusesNoTokenBeforeTheFirstLoss() {
        EpochState state = new EpochState(1, WhenForgotten.REFUSE, CLOCK);
        state.observed(0, FIRST);

        assertThat(state.isFresh(0, FIRST, state.epoch(), Instant.EPOCH)).isTrue();
        assertThat(state.isFresh(0, FIRST, state.epoch(), Instant.EPOCH.minusSeconds(1)))
                .isTrue();
    }

    @Test
    void acceptsTokensWithoutEpochOfAKeyFromTheTimeOfTheLoss() {
        EpochState state = new EpochState(1, WhenForgotten.ROLL, () -> UNTIL);
        state.observed(0, FIRST);
        state.observed(0, SECOND);

        assertThat(state.isEndlessFresh(0, SECOND, UNTIL.minusNanos(1))).isFalse();
        assertThat(state.isEndlessFresh(0, SECOND, UNTIL)).isTrue();
    }
}
