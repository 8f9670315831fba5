package dev.postern.app.context;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;

/**
 * Context of the key ring: the fingerprints of its secrets, by which an operator compares replicas. A replica with another ring refuses the
 * tokens, tickets and sessions of the others, and nothing else tells that they differ.
 */
public final class RingContext implements ContextSource {

    private static final String SIGNS = "signs";
    private static final String VERIFIES = "verifies";

    private final Supplier<KeyRing> ring;

    /** @param ring returns the ring in force */
    public RingContext(Supplier<KeyRing> ring) {
        this.ring = ring;
    }

    @Override
    public List<ContextItem> items() {
        return List.of(ContextItem.measure("secrets.ring", text(ring.get())));
    }

    /** Describes a ring in one line, such as {@code 5f2c7a19 signs, 8d1e0b44 verifies}. */
    public static String text(KeyRing ring) {
        StringBuilder text = new StringBuilder();
        for (String fingerprint : ring.fingerprints()) {
            text.append(text.isEmpty() ? fingerprint + " " + SIGNS : ", " + fingerprint + " " + VERIFIES);
        }
        return text.toString();
    }

    /** Shows a ring in the meters instead of the one before. */
    public static void meter(KeyRing ring, MeterRegistry registry) {
        List.copyOf(registry.find(Meters.RING.meter()).meters()).forEach(registry::remove);
        List<String> fingerprints = ring.fingerprints();
        for (int i = 0; i < fingerprints.size(); i++) {
            Meters.RING.gauge(registry, () -> 1, fingerprints.get(i), i == 0 ? SIGNS : VERIFIES);
        }
    }
}
