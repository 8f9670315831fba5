package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void stagesSumToTheTotal() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            MockTicker ticker = Ticker.newMockTicker();
            ticker.advance(random.nextLong(1L << 50), TimeUnit.NANOSECONDS);
            Timeline timeline = new Timeline(ticker);
            for (int i = random.nextInt(30); i >= 0; i--) {
                ticker.advance(random.nextLong(1_000_000), TimeUnit.NANOSECONDS);
                timeline.mark(StageName.values()[random.nextInt(StageName.values().length)]);
            }
            long sum = 0;
            for (StageName stage : StageName.values()) {
                sum += timeline.nanos(stage);
            }
            assertThat(sum).isEqualTo(timeline.total());
        }
    }

    @Test
    void namesThePartyThatTookLongest() {
        assertThat(new Timeline(Ticker.newMockTicker()).slowest()).isEqualTo(StageName.Party.GATEWAY);
        Timeline timeline = new Timeline(Ticker.newMockTicker());
        timeline.mark(StageName.TURN, 10);
        assertThat(timeline.slowest()).isEqualTo(StageName.Party.CLIENT);
        timeline.mark(StageName.CONNECT, 16);
        timeline.mark(StageName.RESPOND, 22);
        assertThat(timeline.slowest()).as("both belong to the upstream").isEqualTo(StageName.Party.UPSTREAM);
        timeline.mark(StageName.SPEND, 40);
        assertThat(timeline.slowest()).isEqualTo(StageName.Party.LEDGER);
    }
}
