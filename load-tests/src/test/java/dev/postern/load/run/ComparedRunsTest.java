package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparedRunsTest {
    @Test
    void readsTableThatARunPrints() {
        Table table = new Table().note("tokens", 20).verdict("status", "status 0", "status 0", true);

        assertThat(ComparedRuns.parse(table.toString()))
                .containsExactly(Map.entry("tokens", "20"), Map.entry("status", "status 0"));
    }

    @Test
    void dividesLastNumberOfTheSecondRunByThatOfTheFirst() {
        assertThat(compared("1.50 / 2.00", "9.99 / 3.00")).contains("| x | 1.50 / 2.00 | 9.99 / 3.00 | 1.50 |");
        assertThat(compared("1,000", "500")).contains("| 0.50 |");
    }

    @Test
    void hasNoRatioOfValuesThatDiffer() {
        assertThat(compared("not checked", "20")).contains("| x | not checked | 20 |  |");
        assertThat(compared("3 in memory", "4 on disk")).contains("| x | 3 in memory | 4 on disk |  |");
        assertThat(compared("0.00", "1.00")).contains("| x | 0.00 | 1.00 |  |");
    }

    @Test
    void showsFiguresOfEitherRun() {
        assertThat(new ComparedRuns(Map.of("a", "1"), Map.of("b", "2")).table())
                .contains("| a | 1 |  |  |", "| b |  | 2 |  |");
    }

    private static String compared(String first, String second) {
        return new ComparedRuns(Map.of("x", first), Map.of("x", second)).table();
    }
}
