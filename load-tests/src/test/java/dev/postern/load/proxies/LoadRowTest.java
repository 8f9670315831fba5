package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.proxies.Comparison.Kind;
import org.junit.jupiter.api.Test;

class LoadRowTest {
    @Test
    void asksHaproxyInEveryRowAndTheGatewayToBeBelowIt() {
        assertThat(LoadRow.ALL)
                .allSatisfy(row -> assertThat(row.comparisons()).anySatisfy(comparison -> {
                    assertThat(comparison.peer()).isIn("haproxy", "haproxy-h2");
                    assertThat(comparison.goal()).isEqualTo(Goal.lessThan(1));
                }));
    }

    @Test
    void goesOnOnlyWithoutPeersThatNoGoalIsSetAgainst() {
        assertThat(LoadRow.ALL)
                .flatExtracting(LoadRow::comparisons)
                .filteredOn(comparison -> LoadRow.optional(comparison.peer()))
                .isNotEmpty()
                .allSatisfy(comparison -> assertThat(comparison.goal()).isNull());
    }

    @Test
    void measuresEachPeerOnceAndTheGatewayToo() {
        assertThat(LoadRow.ALL)
                .allSatisfy(
                        row -> assertThat(row.peers()).doesNotHaveDuplicates().endsWith("postern"));
        assertThat(LoadRow.ALL).extracting(LoadRow::name).doesNotHaveDuplicates();
    }

    @Test
    void drawsEveryFigureButTheDifference() {
        assertThat(LoadRow.ALL)
                .flatExtracting(LoadRow::comparisons)
                .filteredOn(comparison -> !comparison.isRatio())
                .extracting(Comparison::kind)
                .containsExactly(Kind.ADDED_LATENCY);
    }
}
