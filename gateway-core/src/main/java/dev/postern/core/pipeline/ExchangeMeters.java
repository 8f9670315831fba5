package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.http.Refusal;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Counts every exchange that ended, by listener, route and outcome, and records its times. Thread-safe. */
public final class ExchangeMeters implements Exchange.EndListener {

    private static final int STATUSES = 1000;
    private static final String[] OUTCOMES = {"complete", "refused", "cut"};

    private final MeterRegistry registry;
    private final Counter ambiguous;
    private final StageTimes stages;
    private final ExchangeTimes times = new ExchangeTimes();
    private final Map<String, Map<String, Counters>> exchanges = new ConcurrentHashMap<>();
    private final Map<Refused, Counter> refusals = new ConcurrentHashMap<>();

    private record Refused(Refusal refusal, String reason) {}

    /** @param stages records the stage times of each exchange */
    public ExchangeMeters(MeterRegistry registry, StageTimes stages) {
        this.registry = registry;
        this.ambiguous = Meters.AMBIGUOUS.counter(registry);
        this.stages = stages;
    }

    /** Returns the histograms of whole exchanges, for export. */
    public List<StripedHistogram> histograms() {
        return times.histograms();
    }

    @Override
    public void ended(Exchange exchange) {
        Outcome outcome = exchange.outcome();
        @Nullable Refusal refusal = outcome.refusal();
        @Nullable Route route = Route.orNull(exchange);
        int how = outcome.cut() ? 2 : refusal != null ? 1 : 0;
        counters(exchange.client().listener().name(), route == null ? "none" : route.name())
                .of(outcome.status(), how)
                .increment();
        if (refusal != null) {
            refusals.computeIfAbsent(new Refused(refusal, outcome.reason()), this::counter)
                    .increment();
        }
        if (outcome.ambiguous()) {
            ambiguous.increment();
        }
        stages.ended(exchange);
        times.ended(exchange);
    }

    private Counters counters(String listener, String route) {
        @Nullable Map<String, Counters> routes = exchanges.get(listener);
        @Nullable Counters found = routes == null ? null : routes.get(route);
        return found != null
                ? found
                : exchanges
                        .computeIfAbsent(listener, name -> new ConcurrentHashMap<>())
                        .computeIfAbsent(route, name -> new Counters(listener, route));
    }

    private Counter counter(Refused of) {
        Refusal refusal = of.refusal();
        return Meters.REFUSALS.counter(registry, refusal.code(), refusal.blame().label(), of.reason());
    }

    /** Counters of one route, indexed by status and outcome: a map would need a new key object for each exchange. */
    private final class Counters {

        private final String listener;
        private final String route;
        private final AtomicReferenceArray<@Nullable Counter> all =
                new AtomicReferenceArray<>(STATUSES * OUTCOMES.length);

        Counters(String listener, String route) {
            this.listener = listener;
            this.route = route;
        }

        Counter of(int status, int outcome) {
            int index = status * OUTCOMES.length + outcome;
            @Nullable Counter found = all.get(index);
            if (found == null) {
                found = Meters.EXCHANGES.counter(
                        registry, listener, route, Integer.toString(status), OUTCOMES[outcome]);
                all.set(index, found);
            }
            return found;
        }
    }
}
