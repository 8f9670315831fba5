package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryTest {

    @Test
    void alertsReturnTheirComparison() {
        assertThat(Query.ofAlert("a", "sum(rate(x_total{result!=\"ok\"}[5m])) / y > 0.1\nand z < max(z)")
                        .text())
                .isEqualTo("sum(rate(x_total{result!=\"ok\"}[5m])) / y > bool 0.1\nand z < bool max(z)");
        assertThat(Query.ofAlert("a", "x == bool 1").text()).isEqualTo("x == bool 1");
    }

    @Test
    void replacesVariablesOfPanels() {
        assertThat(Query.ofPanel("p", "rate(x{instance=~\"$instance\"}[$__rate_interval])", "9s")
                        .text())
                .isEqualTo("rate(x{instance=~\".*\"}[9s])");
    }

    @Test
    void evaluatesEachSelectorSeparately() {
        Query query = new Query(
                "p",
                "histogram_quantile(0.5, sum by (le) (rate(postern_spend_seconds_bucket[5m]))) or up{job=\"a\"} + postern_tunnels");
        assertThat(query.parts().stream().map(Query::text))
                .containsExactly(
                        "count(postern_spend_seconds_bucket)", "count(up{job=\"a\"})", "count(postern_tunnels)");
    }
}
