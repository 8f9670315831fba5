package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.Upstream;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the detectors of storms and stalls over several readings. */
class DetectorsTest {

    private final Map<String, Upstream.Traffic> traffic = new HashMap<>(Map.of("app", new Upstream.Traffic(0, 0, 0)));
    private Upstream.Traffic last = new Upstream.Traffic(0, 0, 0);
    private final UpstreamTraffic upstreams = new UpstreamTraffic(() -> traffic);
    private LedgerLatency.Spends spends = new LedgerLatency.Spends(0, 0, 0);
    private final LedgerLatency ledger = new LedgerLatency(() -> spends);

    private ContextItem opened(int connects, int requests) {
        last = new Upstream.Traffic(last.connects() + connects, last.requests() + requests, 0);
        traffic.put("app", last);
        return ContextItems.item(upstreams, "upstream app.new-connections-per-request");
    }

    private ContextItem waiting(int exchanges) {
        traffic.put("app", new Upstream.Traffic(0, 0, exchanges));
        return ContextItems.item(upstreams, "upstream app.waiting");
    }

    private ContextItem spent(int count, double millis) {
        spends = new LedgerLatency.Spends(
                spends.count() + count,
                spends.slow() + (millis > 5 ? count : 0),
                spends.totalMillis() + count * millis);
        return ContextItems.item(ledger, "ledger.latency-ms");
    }

    @Test
    void initialConnectionsAreNoStorm() {
        upstreams.items();
        assertThat(opened(64, 64).drifted()).isFalse();
        assertThat(opened(0, 1000).drifted()).isFalse();
        assertThat(opened(64, 64).drifted()).isFalse();
    }

    @Test
    void reportsAConnectionPerRequestWhileItLasts() {
        upstreams.items();
        assertThat(opened(100, 100).drifted()).isFalse();
        ContextItem storm = opened(25, 100);
        assertThat(storm.drifted()).isTrue();
        assertThat(storm.found()).isEqualTo("0.25");
        assertThat(storm.wanted()).isEqualTo("less than 0.2");
        assertThat(storm.advice()).contains("closes after each response", "pool.keep-alive");
        assertThat(opened(0, 10).drifted()).as("too few requests for a result").isTrue();
        assertThat(opened(0, 100).drifted()).isTrue();
        assertThat(opened(0, 100).drifted()).isFalse();
    }

    @Test
    void dropsARemovedUpstream() {
        upstreams.items();
        opened(100, 100);
        traffic.clear();
        assertThat(upstreams.items()).isEmpty();
        last = new Upstream.Traffic(0, 0, 0);
        traffic.put("app", last);
        upstreams.items();
        assertThat(opened(100, 100).drifted()).isFalse();
    }

    @Test
    void reportsRepeatedWaitsForAConnection() {
        assertThat(waiting(3).drifted()).isFalse();
        assertThat(waiting(0).drifted()).isFalse();
        assertThat(waiting(3).drifted()).isFalse();
        assertThat(waiting(2).drifted()).isTrue();
        assertThat(waiting(2).advice()).contains("pool.max-connections");
    }

    @ParameterizedTest
    @ValueSource(doubles = {38, 40, 45.2})
    void reportsDelayedAcknowledgements(double millis) {
        assertThat(spent(100, millis).drifted()).isFalse();
        ContextItem item = spent(100, millis);
        assertThat(item.drifted()).isTrue();
        assertThat(item.advice()).contains("40 ms signature");
        assertThat(item.wanted()).isEqualTo("half within 5");
    }

    @Test
    void reportsALedgerThatIsSlowForAnotherReason() {
        spent(100, 12);
        ContextItem item = spent(100, 12);
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo("12.0");
        assertThat(item.advice()).doesNotContain("signature");
        spent(100, 1);
        assertThat(spent(100, 1).drifted()).isFalse();
    }

    @Test
    void acceptsALedgerThatIsFastHalfOfTheTime() {
        for (int i = 0; i < 3; i++) {
            spent(10, 100);
            assertThat(spent(11, 1).drifted()).isFalse();
        }
    }

    @Test
    void reportsRepeatedLagOfAnEventLoop() {
        double[] seconds = {0.2};
        LoopLag lag = new LoopLag(() -> seconds[0]);
        assertThat(ContextItems.item(lag, "event-loops.lag-ms").drifted()).isFalse();
        ContextItem item = ContextItems.item(lag, "event-loops.lag-ms");
        assertThat(item.drifted()).isTrue();
        assertThat(item.found()).isEqualTo("200");
        assertThat(item.advice()).contains("/flamegraph?event=wall");
    }
}
