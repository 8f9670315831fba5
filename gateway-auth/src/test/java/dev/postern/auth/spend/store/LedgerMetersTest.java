package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LedgerMeters meters = new LedgerMeters(registry);

    @Test
    void countsEachEventSeparately() {
        meters.event(Event.LOST);
        meters.event(Event.LOST);
        meters.event(Event.FORGOT);
        meters.late();

        assertThat(Meters.LEDGER_EVENTS.counter(registry, "connection-lost").count())
                .isEqualTo(2);
        assertThat(Meters.LEDGER_EVENTS.counter(registry, "memory-lost").count())
                .isEqualTo(1);
        assertThat(Meters.LEDGER_EVENTS.counter(registry, "evicted").count()).isZero();
        assertThat(Meters.LEDGER_LATE.counter(registry).count()).isEqualTo(1);
    }

    @Test
    void readsSpendsInFlightAtScrape() {
        int[] inFlight = {3};
        meters.inFlight(() -> inFlight[0]);
        inFlight[0] = 4;

        assertThat(registry.get(Meters.LEDGER_IN_FLIGHT.meter()).gauge().value())
                .isEqualTo(4);
    }

    @Test
    void readsAtScrapeWhetherAStoreMayEvict() {
        int[] mayEvict = {0};
        meters.mayEvict(() -> mayEvict[0]);
        mayEvict[0] = 1;

        assertThat(registry.get(Meters.STORE_MAY_EVICT.meter())
                        .tag("store", "ledger")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void readsTheStateOfAServersBreakers() {
        StoreCircuitBreaker one = new StoreCircuitBreaker("one:1", Duration.ofMillis(50));
        StoreCircuitBreaker other = new StoreCircuitBreaker("one:1", Duration.ofMillis(50));
        meters.breakers("one:1", List.of(one, other));
        assertThat(breakers("closed")).isEqualTo(2);

        for (int i = 0; i < 32; i++) {
            one.bad();
        }

        assertThat(breakers("closed")).isEqualTo(1);
        assertThat(breakers("open")).isEqualTo(1);
    }

    private double breakers(String state) {
        return registry.get("resilience4j.circuitbreaker.state")
                .tag("name", "ledger one:1")
                .tag("state", state)
                .gauge()
                .value();
    }

    @Test
    void hasMetersOfAServersBreakersUntilTheServerIsGone() {
        StoreCircuitBreaker one = new StoreCircuitBreaker("one:1", Duration.ofMillis(50));
        meters.breakers("one:1", List.of(one));
        meters.breakers("two:1", List.of(new StoreCircuitBreaker("two:1", Duration.ofMillis(50))));
        assertThat(tags()).anyMatch(tags -> tags.contains("ledger one:1"));

        meters.gone("one:1");

        assertThat(tags()).noneMatch(tags -> tags.contains("ledger one:1"));
        assertThat(tags()).anyMatch(tags -> tags.contains("ledger two:1"));
    }

    private List<String> tags() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getTags().toString())
                .toList();
    }
}
