package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static dev.postern.ratelimit.queue.AdmissionRequests.enter;
import static dev.postern.ratelimit.queue.AdmissionRequests.withCredential;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when a room removes its entries, and how many at once: 10 s of silence, passes of 60 s, 5 s of absence. */
class RoomCleanupTest {

    private static final long START = 1_000 * SECOND;
    private static final int MANY = RoomRules.PURGE * 2;

    private final Room room = new Room(AdmissionRequests.rules().sessions(MANY), START);

    @BeforeEach
    void useUpBaseRate() {
        assertThat(room.decide(enter("base"), START).kind()).isEqualTo(Kind.BASE);
    }

    private void enterMany(Kind expected) {
        for (int i = 0; i < MANY; i++) {
            assertThat(room.decide(enter("s" + i), START).kind()).isEqualTo(expected);
        }
    }

    @Test
    void aRoomIsNotDesertedWhileASessionHasAPass() {
        assertThat(room.deserted(START)).as("only the base rate was used").isTrue();
        room.decide(enter("a"), START);
        assertThat(room.deserted(START + 10 * SECOND - 1)).isFalse();
        assertThat(room.deserted(START + 10 * SECOND)).isTrue();
    }

    @Test
    void aRoomIsNotDesertedWhileASessionWaits() {
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        room.decide(enter("w"), START);
        assertThat(room.deserted(START + 5 * SECOND - 1)).isFalse();
        assertThat(room.deserted(START + 5 * SECOND)).isTrue();
    }

    @Test
    void aPlaceLastsUpToASixteenthOfTheAbsenceLonger() {
        long sixteenth = 5 * SECOND / 16;
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        room.decide(enter("w"), START);
        room.decide(enter("w"), START + 1);
        assertThat(room.deserted(START + sixteenth + 5 * SECOND - 1)).isFalse();
        assertThat(room.deserted(START + sixteenth + 5 * SECOND)).isTrue();
    }

    @Test
    void aNewPlaceLastsUpToASixteenthOfTheAbsenceLonger() {
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        room.decide(enter("w"), START + 1);
        assertThat(room.deserted(START + 1 + 5 * SECOND)).isFalse();
    }

    @Test
    void aRoomExistsAsLongAsItRemembersACredential() {
        room.decide(withCredential("a", "c1"), START);
        assertThat(room.vanishes(START + RoomRules.CREDENTIAL_MEMORY - 1)).isFalse();
        assertThat(room.vanishes(START + RoomRules.CREDENTIAL_MEMORY)).isTrue();
    }

    @Test
    void oneStepEndsABoundedNumberOfSilentPasses() {
        enterMany(Kind.ADMITTED);
        long end = START + 10 * SECOND;
        assertThat(room.deserted(end)).isFalse();
        assertThat(room.snapshot(end).active()).isEqualTo(MANY - RoomRules.PURGE);
        assertThat(room.deserted(end)).isTrue();
    }

    @Test
    void oneStepEndsABoundedNumberOfPassesAtTheirHardEnd() {
        room.report(new RoomReport("silent", START, START, 1, 1), START);
        enterMany(Kind.ADMITTED);
        long end = START + 60 * SECOND;
        assertThat(room.deserted(end)).isFalse();
        assertThat(room.snapshot(end).active()).isEqualTo(MANY - RoomRules.PURGE);
        assertThat(room.deserted(end)).isTrue();
    }

    @Test
    void oneStepRemovesABoundedNumberOfAbsentSessions() {
        room.control(RoomOverrides.NONE.in(RoomMode.PAUSED));
        enterMany(Kind.WAITING);
        long end = START + 5 * SECOND;
        assertThat(room.deserted(end)).isFalse();
        assertThat(room.snapshot(end).waiting()).isEqualTo(MANY - RoomRules.PURGE);
        assertThat(room.deserted(end)).isTrue();
    }
}
