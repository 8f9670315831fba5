package dev.postern.app.live;

import dev.postern.app.live.LiveSample.Series;
import dev.postern.app.live.LiveSample.Value;
import dev.postern.core.exchange.StageName;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Source of the samples. Reads the same meters as /metrics, so that the values do not differ. For one thread. */
public final class LiveSource implements Supplier<LiveSample> {

    private static final Map<String, Meters> SHOWN = Stream.of(
                    Meters.EXCHANGES,
                    Meters.REFUSALS,
                    Meters.LEDGER_IN_FLIGHT,
                    Meters.CONNECTIONS,
                    Meters.TUNNELS,
                    Meters.LOOP_LAG,
                    Meters.ROOM_WAITING,
                    Meters.ROOM_ACTIVE,
                    Meters.ROOM_BOUND,
                    Meters.ROOM_DECISIONS,
                    Meters.UPSTREAM_CONNECTIONS,
                    Meters.UPSTREAM_CONNECTS,
                    Meters.UPSTREAM_REQUESTS,
                    Meters.UPSTREAM_REUSE,
                    Meters.UPSTREAM_BREAKER,
                    Meters.UPSTREAM_ENDPOINTS)
            .collect(Collectors.toUnmodifiableMap(Meters::meter, Function.identity()));

    /** Tags that the page does not distinguish; series that differ only in these are added up. */
    private static final Set<String> LEFT_OUT = Set.of("listener", "route", "status", "reason");

    private static final String RESULT = "result";
    private static final String REPLAYED = "spent";

    private final MeterRegistry registry;
    private final StripedHistogram stages;
    private final StripedHistogram spends;
    private final StripedHistogram verifications;
    private final Map<String, Supplier<?>> state;

    /**
     * @param stages in the order of {@link StageName}
     * @param verifications of which only replays are shown: for these the ledger was not asked
     * @param state documents shown beside the meters; each supplier is called once per sample and must not block
     */
    public LiveSource(
            MeterRegistry registry,
            StripedHistogram stages,
            StripedHistogram spends,
            StripedHistogram verifications,
            Map<String, Supplier<?>> state) {
        this.registry = registry;
        this.stages = stages;
        this.spends = spends;
        this.verifications = verifications;
        this.state = Map.copyOf(state);
    }

    @Override
    public LiveSample get() {
        Map<StageName, StripedHistogram.Times> times = new EnumMap<>(StageName.class);
        for (StageName stage : StageName.values()) {
            times.put(stage, stages.of(stage.ordinal()));
        }
        Map<String, Object> documents = new HashMap<>();
        state.forEach((name, document) -> documents.put(name, document.get()));
        return new LiveSample(System.nanoTime(), values(), times, documents);
    }

    private Map<Series, Value> values() {
        Map<Series, Value> values = new HashMap<>();
        for (Meter meter : registry.getMeters()) {
            Meters shown = SHOWN.get(meter.getId().getName());
            if (shown != null) {
                add(values, new Series(shown, tags(meter)), meter);
            }
        }
        for (List<String> result : spends.series()) {
            Map<String, String> tags = Map.of(spends.meter().tagKeys().get(0), result.get(0));
            values.put(
                    new Series(spends.meter(), tags),
                    new Value(spends.of(result.get(0)).count(), true));
        }
        int result = verifications.meter().tagKeys().indexOf(RESULT);
        for (List<String> series : verifications.series()) {
            if (series.get(result).equals(REPLAYED)) {
                values.merge(
                        new Series(verifications.meter(), Map.of(RESULT, REPLAYED)),
                        new Value(
                                verifications.of(series.toArray(String[]::new)).count(), true),
                        Value::plus);
            }
        }
        return values;
    }

    private static void add(Map<Series, Value> values, Series series, Meter meter) {
        for (Measurement measurement : meter.measure()) {
            boolean grows = measurement.getStatistic() == Statistic.COUNT;
            double amount = measurement.getValue();
            // Skipped: sum and maximum of a timer, and gauges whose object no longer exists (NaN).
            if ((grows || measurement.getStatistic() == Statistic.VALUE) && Double.isFinite(amount)) {
                values.merge(series, new Value(amount, grows), Value::plus);
            }
        }
    }

    private static Map<String, String> tags(Meter meter) {
        Map<String, String> tags = new TreeMap<>();
        for (Tag tag : meter.getId().getTagsAsIterable()) {
            if (!LEFT_OUT.contains(tag.getKey())) {
                tags.put(tag.getKey(), tag.getValue());
            }
        }
        return tags;
    }
}
