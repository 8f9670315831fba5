package dev.postern.load.experiment.doublespend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DistributionTest {
    private final Results results = new Rounds().results();

    @Test
    void addsUpTheBucketsOfTheGatewayToTheSlowestCheck() {
        Distribution distribution = Distribution.of(results.at(20), Results.NETTY);

        assertThat(distribution.millis()).containsExactly(0.05, 0.1);
        assertThat(distribution.percent()).containsExactly(0.0, 100.0);
    }

    @Test
    void endsAtTheSlowestCheckOfAVariant() {
        Distribution distribution = Distribution.of(results.at(20), Variant.NAGLE);

        assertThat(distribution.percent()).startsWith(0.1).endsWith(100.0);
        assertThat(distribution.millis()).allMatch(millis -> Math.abs(millis - 44) < 0.1);
    }

    @Test
    void drawsAChartPerRateAndTwoPanels() {
        assertThat(new DoubleSpendCharts(results).charts()).hasSize(4);
        assertThat(DoubleSpendData.of(results)).containsKeys("checks", "gateways", "distributions");
    }
}
