package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimelineTest {

    @Test
    void stagesSumToTheTotal() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            long now = random.nextLong(1L << 50);
            Timeline timeline = new Timeline(now);
            for (int i = random.nextInt(30); i >= 0; i--) {
                now += random.nextLong(1_000_000);
                timeline.mark(StageName.values()[random.nextInt(StageName.values().length)], now);
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
        assertThat(new Timeline(0).slowest()).isEqualTo(StageName.Party.GATEWAY);
        Timeline timeline = new Timeline(0);
        timeline.mark(StageName.TURN, 10);
        assertThat(timeline.slowest()).isEqualTo(StageName.Party.CLIENT);
        timeline.mark(StageName.CONNECT, 16);
        timeline.mark(StageName.RESPOND, 22);
        assertThat(timeline.slowest()).as("both belong to the upstream").isEqualTo(StageName.Party.UPSTREAM);
        timeline.mark(StageName.SPEND, 40);
        assertThat(timeline.slowest()).isEqualTo(StageName.Party.LEDGER);
    }
}
