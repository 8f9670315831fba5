package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VisitsTest {
    private static final List<String> VISITS = List.of(
            "200 1 /queue/page",
            "200 1 /queue/asset-1",
            "200 1 /queue/asset-2",
            "200 2 /queue/page",
            "200 2 /queue/asset-2",
            "200 2 /queue/asset-2",
            "200 3 /queue/asset-1",
            "200 3 /queue/asset-2",
            "200 3 /queue/asset-3",
            "200 4 /plain/page",
            "500 4 /plain/asset-1",
            "200 4 /plain/asset-2");

    @Test
    void countsPageOnlyWithEachOfItsAssets() {
        assertThat(Visits.wholePages(VISITS, "queue", 2)).isEqualTo(1);
    }

    @Test
    void countsNoAssetThatFailed() {
        assertThat(Visits.wholePages(VISITS, "plain", 2)).isZero();
    }

    @Test
    void tellsVisitsOfPathsApart() {
        assertThat(Visits.of(VISITS, "plain")).isEqualTo(3);
    }
}
