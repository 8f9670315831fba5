package dev.postern.core.metrics;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.Stage;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts every exchange that ended, by where it came in and how it ended, and where its time went. Thread-safe. */
public final class ExchangeMeters implements Exchange.EndListener {

    private static final Stage[] STAGES = Stage.values();

    private final MeterRegistry registry;
    private final Timer[] stages;
    private final Counter ambiguous;
    private final Map<Ended, Counter> exchanges = new ConcurrentHashMap<>();
    private final Map<Refused, Counter> refusals = new ConcurrentHashMap<>();

    private record Ended(String listener, String route, int status, String outcome) {}

    private record Refused(Refusal refusal, String reason) {}

    public ExchangeMeters(MeterRegistry registry) {
        this.registry = registry;
        this.ambiguous = Meters.AMBIGUOUS.counter(registry);
        this.stages = new Timer[STAGES.length];
        for (Stage stage : STAGES) {
            stages[stage.ordinal()] = Meters.STAGE.timer(registry, stage.label());
        }
    }

    @Override
    public void ended(Exchange exchange) {
        Outcome outcome = exchange.outcome();
        @Nullable Refusal refusal = outcome.refusal();
        @Nullable Route route = exchange.routeOrNull();
        Ended ended = new Ended(
                exchange.client().listener().name(),
                route == null ? "none" : route.name(),
                outcome.status(),
                outcome.cut() ? "cut" : refusal != null ? "refused" : "complete");
        exchanges.computeIfAbsent(ended, this::counter).increment();
        if (refusal != null) {
            refusals.computeIfAbsent(new Refused(refusal, outcome.reason()), this::counter)
                    .increment();
        }
        if (outcome.ambiguous()) {
            ambiguous.increment();
        }
        for (Stage stage : STAGES) {
            long nanos = exchange.timeline().nanos(stage);
            if (nanos > 0) {
                stages[stage.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    private Counter counter(Ended of) {
        return Meters.EXCHANGES.counter(
                registry, of.listener(), of.route(), Integer.toString(of.status()), of.outcome());
    }

    private Counter counter(Refused of) {
        Refusal refusal = of.refusal();
        return Meters.REFUSALS.counter(registry, refusal.code(), refusal.blame().label(), of.reason());
    }
}
