package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.LedgerSettings.WhenForgotten;
import dev.postern.auth.spend.Redemption;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class EpochStateTest {

    private static final InstantSource CLOCK = InstantSource.system();
    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};
    private static final Instant UNTIL = Instant.parse("2026-11-20T10:00:00Z");

    @Test
    void vouchesOnlyForTheServersMarkAndTheEpochOfTheToken() {
        EpochState marks = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        byte[] before = marks.epoch();
        assertThat(marks.seen(0, FIRST)).isFalse();
        byte[] epoch = marks.epoch();

        assertThat(epoch).isNotEqualTo(before);
        assertThat(marks.vouch(0, FIRST, epoch, UNTIL)).isTrue();
        assertThat(marks.vouch(0, FIRST, before, UNTIL)).isFalse();
        assertThat(marks.vouch(0, SECOND, epoch, UNTIL)).isFalse();
        assertThat(marks.vouch(0, null, epoch, UNTIL)).isFalse();
        assertThat(marks.vouch(1, FIRST, epoch, UNTIL)).isFalse();
        assertThat(marks.vouch(1, new byte[0], epoch, UNTIL)).isFalse();
    }

    @Test
    void changesTheEpochWithEachMarkAndOnlyThen() {
        EpochState marks = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        marks.seen(0, FIRST);
        byte[] epoch = marks.epoch();

        assertThat(marks.seen(0, FIRST.clone())).isFalse();
        assertThat(marks.epoch()).isEqualTo(epoch);
        assertThat(marks.seen(0, SECOND)).isTrue();
        assertThat(marks.epoch()).isNotEqualTo(epoch);
    }

    @Test
    void tellsServersApart() {
        EpochState one = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        EpochState other = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        one.seen(0, FIRST);
        other.seen(1, FIRST);

        assertThat(one.epoch()).isNotEqualTo(other.epoch());
    }

    @Test
    void refusesWhatMayHaveBeenForgottenUntilItsEnd() {
        EpochState marks = new EpochState(1, WhenForgotten.REFUSE, CLOCK);
        marks.seen(0, FIRST);
        byte[] epoch = marks.epoch();
        marks.asked(UNTIL);
        assertThat(marks.vouch(0, FIRST, epoch, UNTIL)).isTrue();

        marks.seen(0, SECOND);

        assertThat(marks.epoch()).isEqualTo(epoch);
        assertThat(marks.vouch(0, SECOND, epoch, UNTIL)).isFalse();
        assertThat(marks.vouch(0, SECOND, epoch, UNTIL.plusSeconds(1))).isTrue();
    }

    @Test
    void acceptsWhereThatIsConfigured() {
        EpochState marks = new EpochState(1, WhenForgotten.ACCEPT, CLOCK);
        marks.seen(0, FIRST);
        byte[] epoch = marks.epoch();
        marks.asked(UNTIL);

        marks.seen(0, SECOND);

        assertThat(marks.epoch()).isEqualTo(epoch);
        assertThat(marks.vouch(0, SECOND, epoch, UNTIL)).isTrue();
    }

    @Test
    void doesNotVouchForEpochlessTokensOfKeysThatAreOlderThanTheMemory() {
        for (WhenForgotten configured : new WhenForgotten[] {WhenForgotten.ROLL, WhenForgotten.REFUSE}) {
            EpochState marks = new EpochState(1, configured, CLOCK);
            marks.seen(0, FIRST);
            assertThat(marks.vouchEndless(0, FIRST, Instant.EPOCH)).isTrue();
            assertThat(marks.vouchEndless(0, SECOND, Instant.EPOCH)).isFalse();
            assertThat(marks.vouchEndless(0, null, Instant.EPOCH)).isFalse();

            marks.seen(0, SECOND);

            assertThat(marks.vouchEndless(0, SECOND, Instant.EPOCH)).isFalse();
            assertThat(marks.vouchEndless(0, SECOND, Instant.now().minusSeconds(60)))
                    .isFalse();
            assertThat(marks.vouchEndless(0, SECOND, Instant.now().plusSeconds(60)))
                    .as("a key that nobody had before")
                    .isTrue();
        }
    }

    @Test
    void vouchesForEpochlessTokensWhereForgettingIsAccepted() {
        EpochState marks = new EpochState(1, WhenForgotten.ACCEPT, CLOCK);
        marks.seen(0, FIRST);
        marks.seen(0, SECOND);

        assertThat(marks.vouchEndless(0, SECOND, Instant.EPOCH)).isTrue();
        assertThat(marks.vouchEndless(0, FIRST, Instant.EPOCH)).isFalse();
    }

    @Test
    void believesWhatOthersHaveSeenUntilItSeesForItself() {
        EpochState marks = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        byte[] before = marks.epoch();
        marks.heard(0, FIRST);
        assertThat(marks.mark(0)).isEqualTo(FIRST);
        assertThat(marks.mark(1)).isEmpty();
        assertThat(marks.epoch()).isNotEqualTo(before);

        byte[] heard = marks.epoch();
        marks.heard(0, SECOND);
        assertThat(marks.mark(0)).as("what was known before").isEqualTo(FIRST);
        assertThat(marks.epoch()).isEqualTo(heard);
        assertThat(marks.seen(0, SECOND)).isTrue();
    }

    @Test
    void changesTheEpochWithTheServersThatAreLeftOut() {
        EpochState marks = new EpochState(2, WhenForgotten.ROLL, CLOCK);
        marks.seen(0, FIRST);
        marks.seen(1, SECOND);
        byte[] all = marks.epoch();

        assertThat(marks.leaveOut(1, false)).isFalse();
        assertThat(marks.leaveOut(1, true)).isTrue();
        assertThat(marks.leaveOut(1, true)).isFalse();
        assertThat(marks.view().leftOut()).containsExactly(false, true);
        byte[] one = marks.epoch();
        assertThat(one).isNotEqualTo(all);
        assertThat(marks.leaveOut(0, true)).isTrue();
        assertThat(marks.leaveOut(1, false)).isTrue();
        assertThat(marks.epoch()).as("the other one left out").isNotEqualTo(one).isNotEqualTo(all);
        assertThat(marks.leaveOut(0, false)).isTrue();
        assertThat(marks.epoch()).isEqualTo(all);
    }

    @Test
    void asksOfATokenWhatItCarries() {
        EpochState marks = new EpochState(1, WhenForgotten.ROLL, CLOCK);
        marks.seen(0, FIRST);
        byte[] early = marks.epoch();
        marks.seen(0, SECOND);
        byte[] key = new byte[Redemption.KEY_LENGTH];

        Redemption windowed = new Redemption(key, UNTIL);
        assertThat(marks.vouch(0, SECOND, windowed, marks.epoch())).isTrue();
        assertThat(marks.vouch(0, SECOND, windowed, early)).isFalse();
        Redemption old = Redemption.endless(key, UNTIL, Instant.EPOCH);
        assertThat(marks.vouch(0, SECOND, old, marks.epoch())).isFalse();
        Redemption young = Redemption.endless(key, UNTIL, Instant.now().plusSeconds(60));
        assertThat(marks.vouch(0, SECOND, young, early)).isTrue();
    }
}
