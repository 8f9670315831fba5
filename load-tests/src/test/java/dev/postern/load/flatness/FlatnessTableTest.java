package dev.postern.load.flatness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class FlatnessTableTest {
    private static final int COUNT = 9;

    /** Creates the table of some cycles; one of a new gateway, whose growth never counts, goes before. */
    private static Table table(int count, IntFunction<Cycle> cycle) {
        List<Cycle> cycles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cycles.add(cycle.apply(i));
        }
        Cycle warmUp = Cycles.with(
                Cycles.flat("tcp"), 4, step -> Cycles.with(step, new State(40_000_000, 32_000_000, 1, 99, 99)));
        return new FlatnessTable(List.of(warmUp), cycles).table();
    }

    private static List<String> missed(IntFunction<Cycle> cycle) {
        Table table = table(COUNT, cycle);
        List<String> rows = table.toString()
                .lines()
                .filter(line -> line.contains("MISSED"))
                .map(line -> line.substring(2, line.indexOf('|', 2)).trim())
                .toList();
        assertThat(table.status()).isEqualTo(rows.isEmpty() ? 0 : 1);
        return rows;
    }

    /** Creates flat cycles whose state at all steps is another one from cycle to cycle. */
    private static IntFunction<Cycle> states(IntFunction<State> state) {
        return i -> Cycles.withAll(Cycles.flat("tcp"), step -> Cycles.with(step, state.apply(i)));
    }

    @Test
    void meetsAllGoalsWhenNothingChanges() {
        Table table = table(COUNT, i -> Cycles.flat("tcp"));

        assertThat(table.missed()).isFalse();
        assertThat(table.toString())
                .contains("100, 100, 100, 100, 100", "50.0, 50.0, 50.0, 50.0, 50.0", "300, 300, 300, 300, 300")
                .containsPattern("tcp: live heap, the same in the cycle that warms up +\\| 100 ")
                .containsPattern("tcp: direct memory, the same in the cycle that warms up +\\| 300 ");
        assertThat(table.toString().split(" MET ")).hasSize(12);
    }

    @Test
    void missesTheGoalOfTheMedianAtTheTop() {
        assertThat(missed(i ->
                        Cycles.with(Cycles.flat("tcp"), 2, step -> Cycles.step(step.open(), 115, 300, step.state()))))
                .isEmpty();
        assertThat(missed(i ->
                        Cycles.with(Cycles.flat("tcp"), 2, step -> Cycles.step(step.open(), 116, 300, step.state()))))
                .containsExactly("tcp: gateway: p50 at 1,000 / p50 at 10");
    }

    @Test
    void missesTheGoalsOfMemoryThatDoesNotComeBack() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat("tcp"),
                        4,
                        step -> Cycles.with(step, new State(20_500_000, 8_000_000, 150_000_000, 60, 30)))))
                .containsExactly("tcp: live heap, last step of 1 over first, percent more");
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat("tcp"),
                        4,
                        step -> Cycles.with(step, new State(20_000_000, 8_200_000, 150_000_000, 60, 30)))))
                .containsExactly("tcp: direct memory, last step of 1 over first, percent more");
    }

    @Test
    void missesTheGoalOfThreadsAfterOneStepOfOneCycle() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat("tcp"),
                        2,
                        step -> Cycles.with(
                                step, new State(20_000_000, 8_000_000, 150_000_000, 60, i == 4 ? 31 : 30)))))
                .containsExactly("threads, most - fewest");
    }

    @Test
    void missesTheGoalOfMessages() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat("tcp"),
                        1,
                        step -> new Step(
                                step.open(), Cycles.latencies(100, 300, i == 0 ? 1 : 0), step.relay(), step.state()))))
                .containsExactly("tcp: gateway: messages that failed");
    }

    @Test
    void findsDriftOfMemory() {
        assertThat(missed(states(i -> new State(20_000_000, 8_000_000, 150_000_000 + i * 600_000L, 60, 30))))
                .containsExactly("drift of resident memory, last third over first, percent more");
        assertThat(missed(states(i -> new State(20_000_000, 8_000_000 + i * 40_000L, 150_000_000, 60, 30))))
                .containsExactly("drift of direct memory, last third over first, percent more");
        assertThat(missed(states(i -> new State(20_000_000 + i * 100_000L, 8_000_000, 150_000_000, 60, 30))))
                .containsExactly("drift of live heap, last third over first, percent more");
        assertThat(missed(states(i -> new State(20_000_000, 8_000_000, 150_000_000 + i * 400_000L, 60, 30))))
                .isEmpty();
    }

    @Test
    void findsDriftOfDescriptorsAtASingleStep() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat("tcp"),
                        3,
                        step -> Cycles.with(step, new State(20_000_000, 8_000_000, 150_000_000, 60 + i / 5, 30)))))
                .containsExactly("drift of descriptors, last third - first, largest at any step");
    }

    @Test
    void findsThreadsThatEnd() {
        assertThat(missed(states(i -> new State(20_000_000, 8_000_000, 150_000_000, 60, 30 - i / 5))))
                .containsExactly("threads, most - fewest", "drift of threads, last third - first, largest at any step");
    }

    @Test
    void findsDriftOfTheP99OfTheGatewayAlone() {
        assertThat(missed(i -> Cycles.withAll(
                        Cycles.flat("tcp"), step -> Cycles.step(step.open(), 100, 300 + i * 8, step.state()))))
                .containsExactly("drift of p99, last third / first, tcp, gateway");
        assertThat(missed(i -> Cycles.withAll(
                        Cycles.flat("tcp"),
                        step -> new Step(
                                step.open(), step.gateway(), Cycles.latencies(50, 300 + i * 100, 1), step.state()))))
                .isEmpty();
    }

    @Test
    void judgesNoDriftOfFewCycles() {
        assertThat(table(5, i -> Cycles.flat("tcp")).toString()).contains("not judged: fewer than 6 cycles");
        // Six in all, but three of each kind.
        assertThat(table(6, i -> Cycles.flat(i % 2 == 0 ? "tcp" : "udp")).toString())
                .contains("not judged: fewer than 6 cycles");
    }
}
