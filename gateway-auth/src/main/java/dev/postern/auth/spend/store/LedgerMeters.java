package dev.postern.auth.spend.store;

import dev.postern.core.metrics.BreakerMeters;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;

/** What happens to the ledger, counted. Thread-safe. */
public final class LedgerMeters {

    private final MeterRegistry registry;
    private final Counter late;

    public LedgerMeters(MeterRegistry registry) {
        this.registry = registry;
        this.late = Meters.LEDGER_LATE.counter(registry);
        for (Event event : Event.values()) {
            // A counter that begins with its first event hides that one from whoever looks at its growth.
            counter(event);
        }
    }

    public void late() {
        late.increment();
    }

    /** Not for the path of every spend: looks the counter up. */
    public void event(Event event) {
        counter(event).increment();
    }

    private Counter counter(Event event) {
        return Meters.LEDGER_EVENTS.counter(registry, event.label);
    }

    public void inFlight(Supplier<Number> value) {
        Meters.LEDGER_IN_FLIGHT.gauge(registry, value);
    }

    /** Shows the breakers of that server's connections. */
    public void breakers(String server, List<StoreCircuitBreaker> fuses) {
        BreakerMeters.bind(
                registry,
                name(server),
                fuses.stream().map(StoreCircuitBreaker::breaker).toList());
    }

    /** Shows nothing of that server any more. */
    public void gone(String server) {
        BreakerMeters.remove(registry, name(server));
    }

    private static String name(String server) {
        return "ledger " + server;
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
