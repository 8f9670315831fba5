package dev.postern.auth.spend.store;

import dev.postern.core.metrics.BreakerMeters;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;

/** Meters of a ledger. Thread-safe. */
public final class LedgerMeters {

    private final MeterRegistry registry;
    private final Counter late;

    public LedgerMeters(MeterRegistry registry) {
        this.registry = registry;
        this.late = Meters.LEDGER_LATE.counter(registry);
        for (Event event : Event.values()) {
            // Registered at 0: a rate over a counter that starts with its first event does not show this event.
            counter(event);
        }
    }

    public void late() {
        late.increment();
    }

    /** Counts an event. Looks the counter up, so not for the path of every spend. */
    public void event(Event event) {
        counter(event).increment();
    }

    private Counter counter(Event event) {
        return Meters.LEDGER_EVENTS.counter(registry, event.label);
    }

    public void inFlight(Supplier<Number> value) {
        Meters.LEDGER_IN_FLIGHT.gauge(registry, value);
    }

    /** @param value 1 if a store may evict spends */
    public void mayEvict(Supplier<Number> value) {
        Meters.STORE_MAY_EVICT.gauge(registry, value, "ledger");
    }

    /** Registers the circuit breakers of the server's connections. */
    public void breakers(String server, List<StoreCircuitBreaker> breakers) {
        BreakerMeters.bind(
                registry,
                name(server),
                breakers.stream().map(StoreCircuitBreaker::breaker).toList());
    }

    /** Removes the meters of the server's circuit breakers. */
    public void gone(String server) {
        BreakerMeters.remove(registry, name(server));
    }

    private static String name(String server) {
        return "ledger " + server;
    }

    /** Event that is counted. */
    public enum Event {
        CONNECTED("connected"),
        LOST("connection-lost"),
        RECREATED("recreated"),
        FORGOT("memory-lost"),
        EVICTED("evicted"),
        REFUNDED("given-back"),
        NOT_REFUNDED("not-given-back");

        private final String label;

        Event(String label) {
            this.label = label;
        }
    }
}
