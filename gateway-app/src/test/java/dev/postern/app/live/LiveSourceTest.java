package dev.postern.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.live.LiveSample.Series;
import dev.postern.app.live.LiveSample.Value;
import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.pipeline.StageTimes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveSourceTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LiveSource source = source(StripedHistogram.byTag(Meters.SPEND, List.of()));

    private LiveSource source(StripedHistogram spends) {
        return source(spends, new StripedHistogram(Meters.TOKEN_VERIFY, List.of()));
    }

    private LiveSource source(StripedHistogram spends, StripedHistogram verifications) {
        return new LiveSource(
                registry,
                new StageTimes().histogram(),
                spends,
                verifications,
                Map.of("about", () -> Map.of("version", "1")));
    }

    @Test
    void addsSeriesThatThePageDoesNotDistinguish() {
        Meters.EXCHANGES.counter(registry, "web", "/a", "200", "complete").increment(3);
        Meters.EXCHANGES.counter(registry, "out", "/b", "204", "complete").increment(4);
        Meters.EXCHANGES.counter(registry, "web", "/a", "503", "refused").increment(2);
        Meters.REFUSALS.counter(registry, "token-required", "client", "missing").increment();
        Meters.REFUSALS.counter(registry, "token-required", "client", "spent").increment();

        assertThat(source.get().values())
                .isEqualTo(Map.of(
                        new Series(Meters.EXCHANGES, Map.of("outcome", "complete")), new Value(7, true),
                        new Series(Meters.EXCHANGES, Map.of("outcome", "refused")), new Value(2, true),
                        new Series(Meters.REFUSALS, Map.of("code", "token-required", "blame", "client")),
                                new Value(2, true)));
    }

    @Test
    void countsSpends() {
        StripedHistogram spends = StripedHistogram.byTag(Meters.SPEND, List.of("fresh"));
        StripedHistogram.OnLoop loop = spends.on(new EmbeddedChannel().eventLoop());
        loop.record(0, 40_000_000, null);
        loop.record(0, 2_000_000, null);

        assertThat(source(spends).get().values())
                .isEqualTo(Map.of(new Series(Meters.SPEND, Map.of("result", "fresh")), new Value(2, true)));
    }

    @Test
    void distinguishesGaugesAndFunctionCounters() {
        Meters.TUNNELS.gauge(registry, () -> 5, "connect");
        Meters.UPSTREAM_REUSE.count(registry, () -> 6, "app");

        assertThat(source.get().values())
                .isEqualTo(Map.of(
                        new Series(Meters.TUNNELS, Map.of("kind", "connect")), new Value(5, false),
                        new Series(Meters.UPSTREAM_REUSE, Map.of("upstream", "app")), new Value(6, true)));
    }

    @Test
    void omitsNanAndUnusedSeries() {
        Meters.LOOP_LAG.gauge(registry, () -> Double.NaN);
        Meters.LOG_LOST.counter(registry).increment();
        registry.counter("other.meter").increment();

        assertThat(source.get().values()).isEmpty();
    }

    @Test
    void readsAllStagesAndDocuments() {
        LiveSample sample = source.get();

        assertThat(sample.stages()).containsOnlyKeys(StageName.values());
        assertThat(sample.state()).isEqualTo(Map.of("about", Map.of("version", "1")));
    }

    @Test
    void replaysDetectedByTheCacheAreOneSeries() {
        StripedHistogram verifications = new StripedHistogram(
                Meters.TOKEN_VERIFY, List.of(List.of("1", "spent"), List.of("2", "good"), List.of("2", "spent")));
        StripedHistogram.OnLoop loop = verifications.on(new EmbeddedChannel().eventLoop());
        loop.record(0, 1000, null);
        loop.record(1, 1000, null);
        loop.record(2, 1000, null);

        assertThat(source(StripedHistogram.byTag(Meters.SPEND, List.of("fresh")), verifications)
                        .get()
                        .values())
                .containsEntry(new Series(Meters.TOKEN_VERIFY, Map.of("result", "spent")), new Value(2, true))
                .doesNotContainKey(new Series(Meters.TOKEN_VERIFY, Map.of("result", "good")));
    }
}
