package dev.postern.core.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.Field;
import io.netty.util.concurrent.Ticker;
import org.junit.jupiter.api.Test;

class ServerTimingTest {

    private static final long MICROS = 1_000;

    @Test
    void namesEachStageThatTookTimeInMillisecondsAndTheirSum() {
        Timeline timeline = new Timeline(Ticker.newMockTicker());
        timeline.mark(StageName.RECEIVE, 12 * MICROS);
        timeline.mark(StageName.VERIFY, 52 * MICROS);
        timeline.mark(StageName.SPEND, 12_345 * MICROS);

        Field field = ServerTiming.of(timeline);

        assertThat(field.name().toString()).isEqualTo("server-timing");
        assertThat(field.value()).isEqualTo("receive;dur=0.012, verify;dur=0.040, spend;dur=12.293, total;dur=12.345");
    }

    @Test
    void hasASumWithoutStages() {
        assertThat(ServerTiming.of(new Timeline(Ticker.newMockTicker())).value())
                .isEqualTo("total;dur=0.000");
    }
}
