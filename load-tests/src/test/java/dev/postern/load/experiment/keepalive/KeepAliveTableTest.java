package dev.postern.load.experiment.keepalive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postern.load.measure.Table;
import dev.postern.load.measure.Table.Row;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.Turn;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeepAliveTableTest {
    private static final String RATIO = "requests/s, postern / postern-no-keep-alive";

    private final Map<String, Turn> turns = new HashMap<>();
    private final Map<String, String> missing = new HashMap<>();
    private final Map<String, Reuse> reuse = new HashMap<>();
    private final Map<String, FlameStacks> flames = new HashMap<>();

    /** Values that meet all goals. */
    @BeforeEach
    void fill() {
        Variant.ALL.forEach(variant -> turns.put(variant.name(), new Turn(20, 40_000, 1_500, 9_000)));
        turns.put(Variant.POSTERN, new Turn(10, 60_000, 1_000, 5_000));
        turns.put(Variant.WITHOUT, new Turn(60, 15_000, 4_000, 15_000));
        turns.put(Variant.RELAY, new Turn(10, 60_000, 1_000, 5_000));
        List.of(Variant.POSTERN, Variant.C1, Variant.INTERPRETED)
                .forEach(name -> reuse.put(name, new Reuse(1_000, 1_000, 0)));
        reuse.put(Variant.WITHOUT, new Reuse(1_000, 0, 0));
        flames.put(Variant.WITHOUT, new FlameStacks(100, 30));
        flames.put(Variant.POSTERN, new FlameStacks(100, 0));
    }

    @Test
    void meetsAllGoals() {
        Table table = table();

        assertThat(table.missed()).isFalse();
        assertThat(row(table, RATIO)).isEqualTo(new Row(RATIO, "4.00 [4.00..4.00]", ">= 3.80", "MET"));
        assertThat(table.rows())
                .extracting(Row::figure, Row::value)
                .contains(
                        tuple("postern: requests/s; CPU us; busy; p50 us; p99 us", "60,000; 10.0; 0.60; 1,000; 5,000"));
    }

    @Test
    void missesTheGoalIfKeepAliveMultipliesByLess() {
        turns.put(Variant.WITHOUT, new Turn(60, 16_000, 4_000, 15_000));

        assertThat(misses()).containsExactly(RATIO);
    }

    @Test
    void showsAGatewayWithTheWrongPool() {
        turns.put(Variant.POSTERN, new Turn(60, 15_000, 4_000, 15_000));
        reuse.put(Variant.POSTERN, new Reuse(1_000, 0, 0));

        assertThat(misses()).contains(RATIO, "requests over a reused connection, postern");
    }

    @Test
    void showsAGatewayThatReusesConnectionsWhereItMustNot() {
        reuse.put(Variant.WITHOUT, new Reuse(1_000, 1, 0));

        assertThat(misses()).containsExactly("requests over a reused connection, postern-no-keep-alive");
    }

    @Test
    void missesTheGoalsWithoutAnyRequest() {
        reuse.replaceAll((name, value) -> new Reuse(0, 0, 0));

        assertThat(misses()).hasSize(4).allMatch(figure -> figure.startsWith("requests over a reused"));
    }

    @Test
    void countsFailedConnectsOfAllGateways() {
        reuse.put(Variant.C1, new Reuse(1_000, 1_000, 1));

        assertThat(misses()).containsExactly("failed connects to the origin, all gateways");
    }

    @Test
    void requiresLessCpuTimeThanEachProxyAndHardlyMoreThanTheRelay() {
        turns.put(Variant.POSTERN, new Turn(20, 60_000, 1_000, 5_000));

        assertThat(misses())
                .containsExactly(
                        "CPU per request, postern / relay",
                        "CPU per request, postern / nginx",
                        "CPU per request, postern / haproxy",
                        "CPU per request, postern / vertx",
                        "CPU per request, postern / spring-cloud-gateway");
    }

    @Test
    void missesTheGoalOfAPeerThatCouldNotBeStarted() {
        missing.put("vertx", "no libraries");
        turns.remove("vertx");
        Table table = table();

        assertThat(row(table, "CPU per request, postern / vertx"))
                .isEqualTo(
                        new Row("CPU per request, postern / vertx", "not measured: no libraries", "< 1.00", "MISSED"));
        assertThat(table.rows()).noneMatch(row -> row.figure().startsWith("vertx: "));
    }

    @Test
    void showsConnectionsThatAreOpenedDespiteKeepAlive() {
        flames.put(Variant.POSTERN, new FlameStacks(1_000, 2));

        assertThat(misses()).containsExactly("samples in socket, connect and close, %, postern");
    }

    private Table table() {
        Rounds rounds = new Rounds();
        rounds.add(turns);
        return KeepAliveTable.of(new Measured(rounds, missing, reuse, flames));
    }

    private List<String> misses() {
        return table().rows().stream()
                .filter(row -> row.verdict().equals("MISSED"))
                .map(Row::figure)
                .toList();
    }

    private static Row row(Table table, String figure) {
        return table.rows().stream()
                .filter(row -> row.figure().equals(figure))
                .findFirst()
                .orElseThrow();
    }
}
