package dev.postern.core.tls.certificate;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Certificate expiry of all listeners, for meters and probes. Thread-safe. */
public final class CertificateExpiry {

    private static final double MILLIS = 1000;

    private final InstantSource clock;
    private final MeterRegistry registry;
    private final Map<String, Map<String, Instant>> listeners = new TreeMap<>();

    public CertificateExpiry(InstantSource clock, MeterRegistry registry) {
        this.clock = clock;
        this.registry = registry;
    }

    /** Sets the certificates of a listener, by name; empty when the listener is gone. */
    public synchronized void put(String listener, Map<String, Instant> expiries) {
        if (expiries.equals(listeners.getOrDefault(listener, Map.of()))) {
            return;
        }
        Meters.CERTIFICATE_EXPIRY.remove(registry, listener);
        listeners.remove(listener);
        if (!expiries.isEmpty()) {
            listeners.put(listener, Map.copyOf(expiries));
            expiries.forEach(
                    (name, expiry) -> Meters.CERTIFICATE_EXPIRY.gauge(registry, () -> seconds(expiry), listener, name));
        }
    }

    /** Sets the certificates of a listener that is still known; a check that ends after its listener is gone changes nothing. */
    public synchronized void update(String listener, Map<String, Instant> expiries) {
        if (listeners.containsKey(listener)) {
            put(listener, expiries);
        }
    }

    private double seconds(Instant expiry) {
        return Duration.between(clock.instant(), expiry).toMillis() / MILLIS;
    }

    /** Returns the expired certificates, by listener and name, with the time of expiry. */
    public synchronized Map<String, String> expired() {
        Instant now = clock.instant();
        Map<String, String> expired = new TreeMap<>();
        listeners.forEach((listener, certificates) -> certificates.forEach((name, expiry) -> {
            if (!expiry.isAfter(now)) {
                expired.put("listener " + listener + ": " + name, "expired at " + expiry);
            }
        }));
        return expired;
    }

    /** Removes all listeners except these. */
    public synchronized void only(Iterable<String> remaining) {
        List<String> removed = new ArrayList<>(listeners.keySet());
        remaining.forEach(removed::remove);
        removed.forEach(listener -> put(listener, Map.of()));
    }
}
