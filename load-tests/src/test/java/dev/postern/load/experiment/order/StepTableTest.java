package dev.postern.load.experiment.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import dev.postern.load.worker.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StepTableTest {
    private static final int COUNT = 9;

    /** Creates the table of some cycles; one of a new gateway, whose growth never counts, goes before. */
    private static Table table(int count, IntFunction<Cycle> cycle) {
        List<Cycle> cycles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cycles.add(cycle.apply(i));
        }
        Cycle warmUp = Cycles.with(
                Cycles.flat(Kind.TCP), 3, step -> Cycles.with(step, new State(40_000_000, 32_000_000, 1, 99, 99)));
        Table table = new Table();
        new StepTable(List.of(warmUp), cycles).addTo(table);
        return table;
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
        return i -> Cycles.withAll(Cycles.flat(Kind.TCP), step -> Cycles.with(step, state.apply(i)));
    }

    @Test
    void meetsAllGoalsWhenNothingChanges() {
        Table table = table(COUNT, i -> Cycles.flat(Kind.TCP));

        assertThat(table.missed()).isFalse();
        assertThat(table.toString())
                .contains(
                        "100, 100, 100, 100", "50, 50, 50, 50", "300, 300, 300, 300", "20,000, 20,000, 20,000, 20,000")
                .containsPattern("tcp: live heap, the same in the cycle that warms up +\\| 100 ")
                .containsPattern("tcp: direct memory, the same in the cycle that warms up +\\| 300 ");
        assertThat(table.toString().split(" MET ")).hasSize(14);
    }

    @Test
    void missesTheGoalOfTheMedianAtTheTop() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP), 2, step -> Cycles.step(step.open(), 115, 300, step.state()))))
                .isEmpty();
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP), 2, step -> Cycles.step(step.open(), 116, 300, step.state()))))
                .containsExactly("tcp: gateway: p50 at 1,000 / p50 at 10");
    }

    @Test
    void missesTheGoalsOfMemoryThatDoesNotComeBack() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP),
                        3,
                        step -> Cycles.with(step, new State(20_500_000, 8_000_000, 150_000_000, 60, 30)))))
                .containsExactly("tcp: live heap, last step of 10 over first, percent more");
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP),
                        3,
                        step -> Cycles.with(step, new State(20_000_000, 8_200_000, 150_000_000, 60, 30)))))
                .containsExactly("tcp: direct memory, last step of 10 over first, percent more");
    }

    @Test
    void missesTheGoalOfThreadsAfterOneStepOfOneCycle() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP),
                        2,
                        step -> Cycles.with(
                                step, new State(20_000_000, 8_000_000, 150_000_000, 60, i == 4 ? 31 : 30)))))
                .containsExactly("threads, most - fewest");
    }

    @Test
    void missesTheGoalOfOneMessageOutOfOrder() {
        assertThat(missed(i -> Cycles.with(Cycles.flat(Kind.TCP), 1, step -> fault(step, Step.GATEWAY, i, 1, 0))))
                .containsExactly("tcp: gateway: out of order or altered");
        assertThat(missed(i -> Cycles.with(Cycles.flat(Kind.TCP), 1, step -> fault(step, "relay", i, 1, 1))))
                .isEmpty();
    }

    @Test
    void missesTheGoalOfOneMissingMessage() {
        assertThat(missed(i -> Cycles.with(Cycles.flat(Kind.TCP), 2, step -> fault(step, Step.GATEWAY, i, 0, 1))))
                .containsExactly("tcp: gateway: missing");
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP),
                        0,
                        step -> Cycles.with(
                                step,
                                Step.GATEWAY,
                                turn -> new Turn(
                                        new Latencies(4_000, 1, 1, 300, 100, 1), turn.stream(), 30, 150_000_000)))))
                .containsExactly("tcp: gateway: missing");
    }

    /** Plants a fault in one cycle. */
    private static Step fault(Step step, String proxy, int cycle, long outOfOrder, long missing) {
        return cycle == 3 ? Cycles.with(step, proxy, turn -> Cycles.with(turn, outOfOrder, missing)) : step;
    }

    @Test
    void missesTheGoalOfTheMedianAfterwards() {
        assertThat(missed(i -> Cycles.with(
                        Cycles.flat(Kind.TCP), 3, step -> Cycles.step(step.open(), 111, 300, step.state()))))
                .containsExactly("tcp: gateway: p50 at the last 10 / at the first");
    }

    @Test
    void judgesHttpBesideItsPeersWithAGoalOfItsOwn() {
        assertThat(missed(i -> http(120))).isEmpty();
        assertThat(missed(i -> http(121))).containsExactly("http: gateway: p50 at 1,000 / p50 at 10");
    }

    private static Cycle http(double atTheTop) {
        return new Cycle(
                Kind.HTTP,
                Cycle.PLAN.stream()
                        .map(open -> new Step(
                                open,
                                StepTable.proxies(Kind.HTTP).stream()
                                        .collect(Collectors.toMap(
                                                proxy -> proxy,
                                                proxy -> Cycles.turn(open == 1_000 ? atTheTop : 100, 300))),
                                Cycles.STATE))
                        .toList());
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
                        Cycles.flat(Kind.TCP),
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
                        Cycles.flat(Kind.TCP), step -> Cycles.step(step.open(), 100, 300 + i * 8, step.state()))))
                .containsExactly("drift of p99, last third / first, tcp, gateway");
        assertThat(missed(i -> Cycles.withAll(
                        Cycles.flat(Kind.TCP),
                        step -> Cycles.with(step, "relay", turn -> Cycles.turn(50, 300 + i * 100)))))
                .isEmpty();
    }

    @Test
    void judgesNoDriftOfFewCycles() {
        assertThat(table(5, i -> Cycles.flat(Kind.TCP)).toString()).contains("not judged: fewer than 6 cycles");
        // Six in all, but three of each kind.
        assertThat(table(6, i -> Cycles.flat(i % 2 == 0 ? Kind.TCP : Kind.UDP)).toString())
                .contains("not judged: fewer than 6 cycles");
    }
}
