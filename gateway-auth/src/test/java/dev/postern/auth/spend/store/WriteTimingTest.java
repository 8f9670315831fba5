package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendLatency;
import org.junit.jupiter.api.Test;

class WriteTimingTest {

    private final WriteTiming timing = new WriteTiming();

    @Test
    void measuresTheThreePartsOfASpend() {
        timing.begin(1_010);
        timing.end(1_030);

        assertThat(timing.responded(1_000, 1_100, 1_107)).isEqualTo(new SpendLatency(10, 20, 7));
    }

    @Test
    void isWaitingForTheConnectionUntilItIsWritten() {
        assertThat(timing.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(500, 0, 0));
    }

    @Test
    void isBeingWrittenUntilTheWriteCompletes() {
        timing.begin(1_010);

        assertThat(timing.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(10, 490, 0));
    }

    @Test
    void waitsForTheStoreOnceItIsWritten() {
        timing.begin(1_010);
        timing.end(1_030);

        assertThat(timing.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(10, 20, 0));
    }

    @Test
    void measuresTheReturnOfAnUnwrittenSpend() {
        assertThat(timing.responded(1_000, 1_200, 1_207)).isEqualTo(new SpendLatency(200, 0, 7));
    }

    @Test
    void ignoresEventsAfterTheEnd() {
        timing.begin(1_600);
        timing.end(1_700);

        assertThat(timing.unanswered(1_000, 1_500)).isEqualTo(new SpendLatency(500, 0, 0));
    }
}
