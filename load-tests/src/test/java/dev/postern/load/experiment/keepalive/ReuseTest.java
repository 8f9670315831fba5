package dev.postern.load.experiment.keepalive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.MetricsPage;
import org.junit.jupiter.api.Test;

class ReuseTest {
    private static final MetricsPage PAGE = MetricsPage.parse("""
            # TYPE postern_upstream_requests counter
            postern_upstream_requests_total{upstream="app"} 1000.0
            postern_upstream_reuse_total{upstream="app"} 936.0
            postern_upstream_connects_total{result="ok",upstream="app"} 64.0
            postern_upstream_connects_total{result="failed",upstream="app"} 2.0
            """);

    @Test
    void readsTheMetersOfTheUpstream() {
        assertThat(Reuse.of(PAGE)).isEqualTo(new Reuse(1000, 936, 2));
    }

    @Test
    void countsOnlyTheRequestsSinceTheEarlierReading() {
        Reuse later = new Reuse(5000, 4936, 2);

        assertThat(later.minus(Reuse.of(PAGE))).isEqualTo(new Reuse(4000, 4000, 0));
        assertThat(later.minus(Reuse.of(PAGE)).share()).isEqualTo(1);
    }

    @Test
    void hasNoShareWithoutARequest() {
        assertThat(new Reuse(0, 0, 0).share()).isNaN();
        assertThat(Reuse.of(MetricsPage.parse("")).share()).isNaN();
    }
}
