package dev.postern.load.oldnew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Interval;
import org.junit.jupiter.api.Test;

class ResultTableTest {
    private static final Result MET = result(0.99, 20);
    private static final Result MISSED = result(1.0201, 20);
    private static final Result TOO_FEW = result(1.5, 19);

    private final ResultTable table = new ResultTable();

    private static Result result(double low, int rounds) {
        return new Result(24.1, 24.26, new Interval(low + 0.02, low, low + 0.04), rounds);
    }

    @Test
    void isMarkdown() {
        table.add("proxy", MET);
        table.add("tls", MISSED);
        table.add("spend", TOO_FEW);
        table.notMeasured("room", "no nginx");

        assertThat(table).hasToString("""
                | scenario | old, CPU us | new, CPU us | new / old | 95 % interval | goal | verdict |
                | --- | --- | --- | --- | --- | --- | --- |
                | proxy | 24.10 | 24.26 | 1.010 | 0.990..1.030 | <= 1.02 | MET |
                | tls | 24.10 | 24.26 | 1.040 | 1.020..1.060 | <= 1.02 | MISSED |
                | spend | 24.10 | 24.26 | 1.520 | 1.500..1.540 | <= 1.02 | none: 19 of 20 rounds |
                | room | | | | | <= 1.02 | not measured: no nginx |
                """);
    }

    @Test
    void exitStatusIsZeroIfAllGoalsAreMet() {
        table.add("proxy", MET);

        assertThat(table.status()).isZero();
    }

    @Test
    void exitStatusIsOneIfAGoalIsMissed() {
        table.add("proxy", MET);
        table.add("tls", MISSED);
        table.notMeasured("room", "no nginx");

        assertThat(table.status()).isEqualTo(1);
    }

    @Test
    void exitStatusIsTwoIfAScenarioHasNoVerdict() {
        table.add("proxy", MET);
        table.add("spend", TOO_FEW);

        assertThat(table.status()).isEqualTo(2);
    }

    @Test
    void exitStatusIsTwoIfAScenarioCouldNotBeMeasured() {
        table.add("proxy", MET);
        table.notMeasured("room", "no nginx");

        assertThat(table.status()).isEqualTo(2);
    }
}
