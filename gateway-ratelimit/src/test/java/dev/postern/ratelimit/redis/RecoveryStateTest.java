package dev.postern.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.ratelimit.redis.RecoveryState.Forgotten;
import dev.postern.ratelimit.redis.RecoveryState.Reported;
import org.junit.jupiter.api.Test;

/** Transitions of {@link RecoveryState}. */
class RecoveryStateTest {

    private static final RecoveryState FIRST = RecoveryState.of(100, 2);

    @Test
    void aRoomThatIsNewToTheNodeNeedsNoReport() {
        assertThat(FIRST).isEqualTo(new Reported(100, 2));
    }

    @Test
    void aReplyOfTheSameEpochUpdatesTheNumberOfNodes() {
        assertThat(FIRST.replied(100, 3)).isEqualTo(new Reported(100, 3));
    }

    @Test
    void anotherEpochMeansLostMemoryAndKeepsTheNodesOfTheFormerMemory() {
        RecoveryState lost = FIRST.replied(200, 1);
        assertThat(lost).isEqualTo(new Forgotten(100, 2));
        assertThat(lost.replied(200, 1)).as("not yet reported").isEqualTo(lost);
    }

    @Test
    void aReportEndsTheRecovery() {
        RecoveryState reported = FIRST.replied(200, 1).reported(200);
        assertThat(reported).isEqualTo(new Reported(200, 2));
        assertThat(reported.replied(200, 2)).isEqualTo(new Reported(200, 2));
    }

    @Test
    void aLossDuringTheReportNeedsAnotherReport() {
        RecoveryState late = FIRST.replied(200, 1).replied(300, 1).reported(200);
        assertThat(late.replied(300, 1)).isEqualTo(new Forgotten(200, 2));
    }

    @Test
    void theFormerMemoryMayReturn() {
        assertThat(FIRST.replied(200, 1).replied(100, 2)).isEqualTo(new Reported(100, 2));
    }
}
