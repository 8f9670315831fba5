package dev.postern.load.authorize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import dev.postern.load.proxies.Rounds;
import dev.postern.load.proxies.Turn;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuestionTablesTest {
    private final Rounds rounds = new Rounds();
    private final Table table = new Table();

    @Test
    void costComparesWithTheForwardedRequestAndThePeerWithinTheRound() {
        cost(10, 6, 30, 12);
        cost(20, 12, 60, 24);

        new CostPart(Path.of("oauth2-proxy")).addTo(table, rounds);

        assertThat(verdicts())
                .containsExactly(
                        "CPU, question / request, gateway (paired): 0.60 [0.60..0.60] MET",
                        "CPU, question / request behind nginx, gateway (paired): 0.48 [0.48..0.48] ",
                        "CPU, question of wrk / request, gateway (paired): 0.54 [0.54..0.54] ",
                        "CPU of a request, nginx + gateway / gateway alone (paired): 3.00 [3.00..3.00] ",
                        "CPU of a question, gateway / oauth2-proxy (paired): 0.50 [0.50..0.50] MET");
    }

    @Test
    void costMissesEachGoalJustAboveItsBound() {
        cost(10, 6.1, 30, 12);

        new CostPart(Path.of("oauth2-proxy")).addTo(table, rounds);

        assertThat(verdicts()).filteredOn(row -> row.endsWith("MISSED")).hasSize(2);
    }

    @Test
    void costWithoutPeerMissesItsGoal() {
        cost(10, 6, 30, 12);

        new CostPart(null).addTo(table, rounds);

        assertThat(verdicts())
                .last()
                .isEqualTo("CPU of a question, gateway / oauth2-proxy (paired): not measured: no --peer MISSED");
    }

    @Test
    void latencyComparesWhatQuestionsAddWithinTheRound() {
        latency(50, 60, 80, 110);
        latency(150, 160, 180, 210);

        LatencyPart.addTo(table, rounds);

        assertThat(verdicts())
                .endsWith(
                        "p50 that the question adds, gateway / other nginx (paired): 2.00 [2.00..2.00] MET",
                        "p50 of the page, gateway / same nginx (paired): 1.57 [1.31..1.83] MET");
    }

    @Test
    void latencyMissesEachGoalJustAboveItsBound() {
        latency(50, 60, 80, 121);

        LatencyPart.addTo(table, rounds);

        assertThat(verdicts()).filteredOn(row -> row.endsWith("MISSED")).hasSize(2);
    }

    /** A disturbance made the plain page slower than the one with a question. */
    @Test
    void aRoundInWhichNginxAddsNothingMeetsNoGoal() {
        latency(90, 60, 80, 100);

        LatencyPart.addTo(table, rounds);

        assertThat(verdicts()).filteredOn(row -> row.endsWith("MISSED")).hasSize(1);
    }

    private void cost(double forwarded, double question, double both, double peer) {
        rounds.add(Map.of(
                CostPart.FORWARDED, cpu(forwarded),
                CostPart.BEHIND, cpu(forwarded * 1.25),
                CostPart.QUESTION, cpu(question),
                CostPart.DIRECT, cpu(question * 0.9),
                CostPart.BOTH, cpu(both),
                CostPart.PEER, cpu(peer)));
    }

    private static Turn cpu(double micros) {
        return new Turn(micros, 1, 1, 1);
    }

    private void latency(double none, double itself, double other, double gateway) {
        rounds.add(Map.of(
                LatencyPart.NONE, p50(none),
                LatencyPart.ITSELF, p50(itself),
                LatencyPart.OTHER, p50(other),
                LatencyPart.GATEWAY, p50(gateway)));
    }

    private static Turn p50(double micros) {
        return new Turn(1, 1, micros, 1);
    }

    private List<String> verdicts() {
        return table.rows().stream()
                .map(row -> row.figure() + ": " + row.value() + " " + row.verdict())
                .toList();
    }
}
