package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class TimerScrapeTest {
    private static final String PAGE = """
            # TYPE postern_spend_seconds histogram
            postern_spend_seconds_bucket{result="fresh",le="1.0E-4"} 10
            postern_spend_seconds_bucket{result="fresh",le="2.0E-4"} 90
            postern_spend_seconds_bucket{result="fresh",le="+Inf"} 100
            postern_spend_seconds_count{result="fresh"} 100
            postern_spend_seconds_sum{result="fresh"} 0.02
            postern_spend_seconds_bucket{result="spent",le="1.0E-4"} 0
            postern_spend_seconds_bucket{result="spent",le="2.0E-4"} 20
            postern_spend_seconds_bucket{result="spent",le="+Inf"} 20
            postern_spend_seconds_sum{result="spent"} 0.004
            postern_spend_seconds_max{result="spent"} 0.9
            """;

    @Test
    void addsAllResultsAndInterpolatesInTheBucketOfTheMedian() {
        TimerScrape timer = TimerScrape.parse(PAGE, "postern_spend_seconds");

        assertThat(timer.count()).isEqualTo(120);
        assertThat(timer.micros(50)).isCloseTo(150, within(0.001));
        assertThat(timer.mean()).isCloseTo(200, within(0.001));
    }

    @Test
    void returnsInfinityAboveTheLastBound() {
        assertThat(TimerScrape.parse(PAGE, "postern_spend_seconds").micros(99)).isInfinite();
    }

    @Test
    void countsOnlyTheDifference() {
        TimerScrape earlier = TimerScrape.parse(PAGE, "postern_spend_seconds");
        TimerScrape later = TimerScrape.parse(
                PAGE.replace("\"1.0E-4\"} 10", "\"1.0E-4\"} 40")
                        .replace("\"2.0E-4\"} 90", "\"2.0E-4\"} 120")
                        .replace("fresh\",le=\"+Inf\"} 100", "fresh\",le=\"+Inf\"} 130"),
                "postern_spend_seconds");

        assertThat(later.since(earlier).count()).isEqualTo(30);
        assertThat(later.since(earlier).micros(50)).isCloseTo(50, within(0.001));
    }

    @Test
    void returnsNothingForAnUnusedTimer() {
        assertThat(TimerScrape.parse(PAGE, "postern_other_seconds").micros(50)).isNaN();
    }
}
