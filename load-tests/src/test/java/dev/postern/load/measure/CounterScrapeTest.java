package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterScrapeTest {
    private static final String PAGE = """
            # TYPE postern_room_decisions counter
            postern_room_decisions_total{decision="held",limit="one"} 40.0
            postern_room_decisions_total{limit="two",decision="held"} 2.0
            postern_room_decisions_total{decision="admitted",limit="held"} 5.0
            postern_room_decisions_totals{decision="held",limit="one"} 7.0
            """;

    @Test
    void addsAllSeriesWithTheLabel() {
        assertThat(CounterScrape.parse(PAGE, "postern_room_decisions_total", "decision=\"held\""))
                .isEqualTo(42);
    }

    @Test
    void returnsZeroForAnAbsentCounter() {
        assertThat(CounterScrape.parse(PAGE, "postern_room_decisions_total", "decision=\"full\""))
                .isZero();
    }
}
