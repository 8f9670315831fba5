package dev.postern.auth.key;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metrics of one issuer's keys. Each gauge replaces that of an earlier instance, which the registry would otherwise still read. */
final class IssuerMetrics implements AutoCloseable {

    private final String issuer;
    private final IssuerKeys keys;
    private final MeterRegistry registry;
    private final List<Gauge> mine = new ArrayList<>();

    IssuerMetrics(String issuer, IssuerKeys keys, MeterRegistry registry) {
        this.issuer = issuer;
        this.keys = keys;
        this.registry = registry;
        replace(Meters.ISSUER_KEYS, () -> keys.table().count(issuer, keys.now()));
        replace(Meters.ISSUER_LEFT, this::remaining);
        replace(Meters.ISSUER_AGE, this::age);
        replace(Meters.ISSUER_SKIPPED, this::skipped);
    }

    private void replace(Meters meter, Supplier<Number> value) {
        Gauge earlier = find(meter);
        if (earlier != null) {
            registry.remove(earlier);
        }
        meter.gauge(registry, value, issuer);
        Gauge now = find(meter);
        if (now != null) {
            mine.add(now);
        }
    }

    private @Nullable Gauge find(Meters meter) {
        return registry.find(meter.meter()).tag("issuer", issuer).gauge();
    }

    /** Returns the seconds until the last key expires; infinite while a key is listed, because its end is not known. */
    private double remaining() {
        Instant last = Instant.EPOCH;
        for (AcceptedKey key : keys.table().keys()) {
            if (key.issuer().equals(issuer) && key.until().isAfter(last)) {
                last = key.until();
            }
        }
        if (last.equals(Instant.MAX)) {
            return Double.POSITIVE_INFINITY;
        }
        return Math.max(0, Duration.between(keys.now(), last).toMillis() / 1000.0);
    }

    private double age() {
        for (IssuerStatus status : keys.status()) {
            if (status.issuer().equals(issuer) && status.success() != null) {
                return Duration.between(status.success(), keys.now()).toMillis() / 1000.0;
            }
        }
        return Double.NaN;
    }

    private int skipped() {
        for (IssuerStatus status : keys.status()) {
            if (status.issuer().equals(issuer)) {
                return status.skipped().size();
            }
        }
        return 0;
    }

    @Override
    public void close() {
        for (Gauge gauge : mine) {
            // A later instance may have registered its own gauge, and meters with the same name and tags are equal.
            if (registry.getMeters().stream().anyMatch(there -> there == gauge)) {
                registry.remove(gauge);
            }
        }
    }
}
