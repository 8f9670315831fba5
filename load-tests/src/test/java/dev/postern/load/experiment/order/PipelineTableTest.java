package dev.postern.load.experiment.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Table;
import dev.postern.load.worker.Pipelined;
import dev.postern.load.worker.Throughput;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PipelineTableTest {
    private static final PipelineSettings SETTINGS =
            new PipelineSettings(Duration.ofMillis(300), 8, 16, 1_000, 100, 1, 1);

    private final Map<String, Pipelined> slow = new HashMap<>();
    private final Map<String, Pipelined> fast = new HashMap<>();
    private final Map<String, Pipelined> tokens = new HashMap<>();
    private final Map<String, Double> cores = new HashMap<>();
    private final Map<String, Double> streams = new HashMap<>();

    PipelineTableTest() {
        for (Variant variant : Variant.ALL) {
            boolean concurrent = variant.depth() == Variant.DEPTH;
            boolean twoCores = !variant.equals(variant.onOneCore());
            String name = variant.toString();
            slow.put(name, turn(8, concurrent ? 0.31 : 2.4, 0, 0));
            fast.put(name, turn(1_000, 0.1, 0, 0));
            tokens.put(name, turn(100, concurrent && twoCores ? 0.1 : 0.18, 0, 0));
            cores.put(name, 1.0);
        }
        streams.put(Variant.CONCURRENT.toString(), 600.0);
        streams.put(Variant.CONCURRENT_ON_ALL.toString(), 1_000.0);
        Kind.HTTP.peers().forEach(peer -> slow.put(peer, turn(8, 2.7, 0, 0)));
    }

    private static Pipelined turn(long messages, double seconds, long outOfOrder, long missing) {
        return new Pipelined(new Throughput(messages, seconds, outOfOrder, missing), 1_000);
    }

    private List<String> missed(Consumer<PipelineTableTest> change) {
        change.accept(this);
        Table table = new Table();
        new PipelineTable(SETTINGS, List.of(new PipelineRound(slow, fast, tokens, cores, streams))).addTo(table);
        return table.rows().stream()
                .filter(row -> row.verdict().equals("MISSED"))
                .map(Table.Row::figure)
                .toList();
    }

    @Test
    void meetsAllGoals() {
        assertThat(missed(test -> {})).isEmpty();
    }

    @Test
    void findsAGatewayThatForwardsOneAfterTheOther() {
        assertThat(missed(test -> test.slow.put("depth 8, two cores", turn(8, 2.4, 0, 0))))
                .containsExactly("8 pipelined GETs of 300 ms: depth 8, two cores, s");
    }

    @Test
    void findsTokensThatUseOneCore() {
        assertThat(missed(test -> test.tokens.put("depth 8, two cores", turn(100, 0.18, 0, 0))))
                .containsExactly("tokens of type 1, 8 at once: depth 8, requests/s, two cores / one (paired)");
    }

    @Test
    void findsStreamsThatUseOneCore() {
        assertThat(missed(test -> test.streams.put("depth 8, two cores", 900.0)))
                .containsExactly("tokens of type 1, HTTP/2, 16 streams: requests/s, two cores / one (paired)");
    }

    @Test
    void findsOneResponseOutOfOrderAndOneThatIsMissing() {
        assertThat(missed(test -> {
                    test.fast.put("depth 8, one core", turn(1_000, 0.1, 1, 0));
                    test.tokens.put("depth 1, one core", turn(99, 0.18, 0, 1));
                }))
                .containsExactly(
                        "pipelined responses, gateway: out of order or altered",
                        "pipelined responses, gateway: missing");
    }

    @Test
    void judgesNoPeer() {
        assertThat(missed(test -> test.slow.put("nginx", turn(7, 5, 3, 1)))).isEmpty();
    }
}
