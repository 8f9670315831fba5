package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class TunnelRoundsTest {
    private static final TunnelTurn RELAY = TunnelTurn.parse("200000 0 2 1 0.5 50");

    @Test
    void readsWhatTheLoadPrints() {
        TunnelTurn turn = TunnelTurn.parse("300 100 2.000000 1.500000 0.500000 54.250\n");

        assertThat(turn.perSecond()).isEqualTo(150);
        assertThat(turn.perCore()).isEqualTo(200);
        assertThat(turn.corePercent()).isEqualTo(75);
        assertThat(turn.loadPercent()).isEqualTo(75);
        assertThat(turn.lostPercent()).isEqualTo(25);
        assertThat(turn.tripMicros()).isEqualTo(54.25);
    }

    @Test
    void rejectsAnotherOutput() {
        assertThatThrownBy(() -> TunnelTurn.parse("no first datagram")).hasMessageContaining("no first datagram");
    }

    @Test
    void comparesDatagramsPerSecondOfCpuTimeNotOfTime() {
        // Half the rate of the relay, at 70 % of its datagrams for each second of CPU time.
        TunnelTurn gateway = TunnelTurn.parse("70000 0 1.4 0.5 0.5 0");

        assertThat(verdicts(gateway, TunnelRoundsTest::datagrams)).containsExactly("MET", "MISSED");
    }

    @Test
    void meetsTheGoalOfBatchedCallsExactly() {
        TunnelTurn gateway = TunnelTurn.parse("100000 0 2 0.5 0.5 0");

        assertThat(verdicts(gateway, TunnelRoundsTest::datagrams)).containsExactly("MET", "MET");
    }

    @Test
    void missesTheGoalOfRoundTripsAboveTheRatio() {
        assertThat(verdicts(TunnelTurn.parse("1 0 1 1 0 80"), TunnelRoundsTest::trips))
                .containsExactly("MET");
        assertThat(verdicts(TunnelTurn.parse("1 0 1 1 0 80.1"), TunnelRoundsTest::trips))
                .containsExactly("MISSED");
    }

    @Test
    void comparesRateAndCpuOfBytesSeparately() {
        TunnelTurn slow = TunnelTurn.parse("94000 0 1 0.47 0 0");
        TunnelTurn dear = TunnelTurn.parse("95000 0 1 0.5 0 0");

        assertThat(verdicts(slow, TunnelRoundsTest::bytes)).containsExactly("MISSED", "MET");
        assertThat(verdicts(dear, TunnelRoundsTest::bytes)).containsExactly("MET", "MISSED");
    }

    @Test
    void pairsTheTurnsOfOneRound() {
        TunnelTurn slowRelay = TunnelTurn.parse("50000 0 2 1 0.5 50");
        TunnelTurn slowGateway = TunnelTurn.parse("50000 0 2 1 0.5 0");
        TunnelTurn gateway = TunnelTurn.parse("200000 0 2 1 0.5 0");
        Table table = new Table();

        datagrams(
                new TunnelRounds(
                        "relay",
                        List.of(
                                new TunnelRounds.Round(slowGateway, slowRelay),
                                new TunnelRounds.Round(gateway, RELAY),
                                new TunnelRounds.Round(gateway, RELAY))),
                table);

        assertThat(table.toString()).contains("| 1.00 [1.00..1.00]");
    }

    private static void datagrams(TunnelRounds rounds, Table table) {
        rounds.reportDatagrams(table, Goal.atLeast(0.7), Goal.atLeast(1));
    }

    private static void trips(TunnelRounds rounds, Table table) {
        rounds.reportTrips(table, Goal.atMost(1.6));
    }

    private static void bytes(TunnelRounds rounds, Table table) {
        rounds.reportBytes(table, Goal.atLeast(0.95), Goal.atMost(1.05));
    }

    private interface Rows {
        void report(TunnelRounds rounds, Table table);
    }

    private static List<String> verdicts(TunnelTurn gateway, Rows rows) {
        Table table = new Table();
        rows.report(new TunnelRounds("relay", List.of(new TunnelRounds.Round(gateway, RELAY))), table);
        return table.toString()
                .lines()
                .filter(line -> line.contains("MET") || line.contains("MISSED"))
                .map(line -> line.contains("MISSED") ? "MISSED" : "MET")
                .toList();
    }
}
