package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import org.junit.jupiter.api.Test;

class WriteTimingTest {

    private final WriteTiming sending = new WriteTiming();

    @Test
    void tellsThePartsOfAResponseedCheckApart() {
        sending.begin(1_010);
        sending.end(1_030);

        assertThat(sending.responded(1_000, 1_100, 1_107)).isEqualTo(new SpendLatency(10, 20, 7));
    }

    @Test
    void isWaitingForTheConnectionUntilItIsWritten() {
        assertThat(sending.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(500, 0, 0));
    }

    @Test
    void isBeingWrittenUntilItIsTaken() {
        sending.begin(1_010);

        assertThat(sending.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(10, 490, 0));
    }

    @Test
    void waitsForTheStoreOnceItIsWritten() {
        sending.begin(1_010);
        sending.end(1_030);

        assertThat(sending.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(10, 20, 0));
    }

    @Test
    void whatIsGivenUpUnwrittenStillHasAWayBack() {
        assertThat(sending.responded(1_000, 1_200, 1_207)).isEqualTo(new SpendLatency(200, 0, 7));
    }

    @Test
    void whatHappensAfterTheEndChangesNothing() {
        sending.begin(1_600);
        sending.end(1_700);

        assertThat(sending.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(500, 0, 0));
    }
}
