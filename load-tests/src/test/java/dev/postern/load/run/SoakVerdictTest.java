package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.Phases;
import dev.postern.load.plan.Settings;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakVerdictTest {
    private static final Phases HOUR = Phases.soak(new Settings(Map.of("minutes", "60")));
    private static final Phases SHORT = Phases.soak(new Settings(Map.of("minutes", "3")));
    private static final long P99 = 4_000;

    @Test
    void isMetIfNothingChanges() {
        assertThat(rows(HOUR, steady(HOUR), P99, P99))
                .contains(
                        "| descriptors without connections, first third after the warm-up / last | 90.0 / 90.0 |"
                                + " difference 0 | MET |",
                        "| threads, first third after the warm-up / last | 30.0 / 30.0 | difference 0 | MET |",
                        "| RSS, slope, MB/h | 0.00 | < 1.00 | MET |",
                        "| p99, last third / first third after the warm-up | 1.00 | <= 1.10 | MET |");
    }

    @Test
    void seesOneDescriptorMore() {
        assertThat(rows(HOUR, from(HOUR, Figure.DESCRIPTORS, 3000, value -> value + 1), P99, P99))
                .contains("| 90.0 / 91.0 | difference 0 | MISSED |");
    }

    @Test
    void ignoresConnectionsOfTheMoment() {
        Samples samples = changed(
                from(HOUR, Figure.DESCRIPTORS, 3000, value -> value + 5),
                Figure.CLIENT_CONNECTIONS,
                3000,
                value -> value + 5);

        assertThat(rows(HOUR, samples, P99, P99)).contains("| 90.0 / 90.0 | difference 0 | MET |");
    }

    @Test
    void seesOneThreadMore() {
        assertThat(rows(HOUR, from(HOUR, Figure.THREADS, 3000, value -> value + 1), P99, P99))
                .contains("| 30.0 / 31.0 | difference 0 | MISSED |");
    }

    @Test
    void seesMemoryThatGrows() {
        assertThat(rows(HOUR, growing(HOUR, 0.96), P99, P99)).contains("| RSS, slope, MB/h | 1.01 | < 1.00 | MISSED |");
        assertThat(rows(HOUR, growing(HOUR, 0.94), P99, P99)).contains("| RSS, slope, MB/h | 0.99 | < 1.00 | MET |");
    }

    @Test
    void seesMemoryThatGrowsUnderPeaksThatEnd() {
        Samples samples = mapped(
                growing(HOUR, 1.5),
                sample -> sample.seconds() > 2400 || sample.seconds() % 60 < 20
                        ? sample
                        : with(sample, Figure.RESIDENT_MIB, 320));

        assertThat(rows(HOUR, samples, P99, P99)).contains("| RSS, slope, MB/h | 1.57 | < 1.00 | MISSED |");
    }

    @Test
    void ignoresPeaks() {
        Samples samples = mapped(
                steady(HOUR),
                sample -> sample.seconds() < 2400 || sample.seconds() % 60 < 20
                        ? sample
                        : with(sample, Figure.RESIDENT_MIB, 320));

        assertThat(rows(HOUR, samples, P99, P99)).contains("| RSS, slope, MB/h | 0.00 | < 1.00 | MET |");
    }

    @Test
    void showsSlopeOfCompiledCodeBesideThatOfMemory() {
        Samples samples = mapped(
                growing(HOUR, 1.5), sample -> with(sample, Figure.NON_HEAP_MIB, 70 + 1.25 * sample.seconds() / 3600));

        assertThat(rows(HOUR, samples, P99, P99))
                .contains("| RSS, slope, MB/h | 1.57 | < 1.00 | MISSED |")
                .contains("| compiled code, classes and profiles of methods, slope, MB/h | 1.31 |");
    }

    @Test
    void showsHeapThatIsNotFreed() {
        Samples samples = mapped(
                steady(HOUR),
                sample -> with(sample, Figure.HEAP_MIB, sample.seconds() % 180 + (sample.seconds() < 2500 ? 40 : 50)));

        assertThat(rows(HOUR, samples, P99, P99))
                .contains("| heap, lowest, MiB, first third after the warm-up / last | 40.0 / 50.0 |");
    }

    @Test
    void ignoresGrowthInTheWarmUp() {
        Samples samples = from(HOUR, Figure.RESIDENT_MIB, 1200, value -> value + 100);

        assertThat(rows(HOUR, samples, P99, P99)).contains("| RSS, slope, MB/h | 0.00 | < 1.00 | MET |");
    }

    @Test
    void seesLatencyThatRises() {
        assertThat(rows(HOUR, steady(HOUR), P99, P99 * 111 / 100)).contains("| 1.11 | <= 1.10 | MISSED |");
    }

    @Test
    void missesLatencyWithoutMeasurement() {
        Table table = new Table();
        verdict(HOUR, List.of(), steady(HOUR)).addTo(table);

        assertThat(table.toString()).contains("not measured").contains("MISSED");
    }

    @Test
    void judgesNoTrendOfAShortRun() {
        assertThat(rows(SHORT, growing(SHORT, 50), P99, 2 * P99))
                .contains("52.4 (not judged", "2.00 (not judged")
                .doesNotContain("MISSED");
    }

    @Test
    void doesNotJudgeWhatIsUnknown() {
        assertThat(rows(HOUR, new Samples(List.of()), P99, P99))
                .contains("threads, first third after the warm-up / last | not judged: unknown |")
                .doesNotContain("MISSED");
    }

    @Test
    void hasAChartForEachKnownFigure() {
        SoakVerdict verdict = verdict(HOUR, results(HOUR, P99, P99), steady(HOUR));

        assertThat(verdict.charts()).hasSize(3);
        assertThat(verdict(HOUR, results(HOUR, P99, P99), new Samples(List.of()))
                        .charts())
                .hasSize(1);
    }

    private static SoakVerdict verdict(Phases phases, List<PhaseResult> results, Samples samples) {
        return new SoakVerdict(new SoakSlices(phases, results, samples));
    }

    private static String rows(Phases phases, Samples samples, long p99First, long p99Last) {
        Table table = new Table();
        verdict(phases, results(phases, p99First, p99Last), samples).addTo(table);
        return table.toString().replaceAll(" +", " ");
    }

    /** Returns the results of all phases, of which the last third has another p99. */
    private static List<PhaseResult> results(Phases phases, long first, long last) {
        int late = phases.list().size() - Phases.SLICES / 3;
        return IntStream.range(0, phases.list().size())
                .mapToObj(i ->
                        new PhaseResult(phases.list().get(i).name(), 100, 6_000, 0, 1_000, i < late ? first : last))
                .toList();
    }

    private static Samples steady(Phases phases) {
        return new Samples(IntStream.range(0, phases.seconds())
                .mapToObj(second -> new Sample(
                        second,
                        Map.of(
                                Figure.RESIDENT_MIB, 300.0,
                                Figure.DESCRIPTORS, 100.0,
                                Figure.CLIENT_CONNECTIONS, 6.0,
                                Figure.UPSTREAM_CONNECTIONS, 4.0,
                                Figure.THREADS, 30.0)))
                .toList());
    }

    private static Samples growing(Phases phases, double mibPerHour) {
        return mapped(
                steady(phases),
                sample -> with(sample, Figure.RESIDENT_MIB, 300 + mibPerHour * sample.seconds() / 3600));
    }

    private static Samples from(Phases phases, Figure figure, int second, DoubleUnaryOperator change) {
        return changed(steady(phases), figure, second, change);
    }

    private static Samples changed(Samples samples, Figure figure, int second, DoubleUnaryOperator change) {
        return mapped(
                samples,
                sample -> sample.seconds() < second
                        ? sample
                        : with(sample, figure, change.applyAsDouble(sample.of(figure))));
    }

    private static Samples mapped(Samples samples, UnaryOperator<Sample> change) {
        return new Samples(samples.list().stream().map(change).toList());
    }

    private static Sample with(Sample sample, Figure figure, double value) {
        Map<Figure, Double> figures = new EnumMap<>(sample.figures());
        figures.put(figure, value);
        return new Sample(sample.seconds(), figures);
    }
}
