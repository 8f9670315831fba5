package dev.postern.auth.spend.remote;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** What happens to the ledger, counted. Thread-safe. */
public final class LedgerMeters {

    private final MeterRegistry registry;
    private final Counter late;

    public LedgerMeters(MeterRegistry registry) {
        this.registry = registry;
        this.late = Meters.LEDGER_LATE.counter(registry);
    }

    public void late() {
        late.increment();
    }

    /** Not for the path of every spend: looks the counter up. */
    public void event(Event event) {
        Meters.LEDGER_EVENTS.counter(registry, event.label).increment();
    }

    public void inFlight(Supplier<Number> value) {
        Meters.LEDGER_IN_FLIGHT.gauge(registry, value);
    }

    /** What is worth counting. */
    public enum Event {
        CONNECTED("connected"),
        LOST("connection-lost"),
        RECREATED("recreated"),
        FORGOT("memory-lost"),
        EVICTED("evicted"),
        GIVEN_BACK("given-back"),
        NOT_GIVEN_BACK("not-given-back");

        private final String label;

        Event(String label) {
            this.label = label;
        }
    }
}
