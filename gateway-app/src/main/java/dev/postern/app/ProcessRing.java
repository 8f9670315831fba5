package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.context.RingContext;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.core.crypto.KeyRing;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Key ring of the process: that of the configured file, which each reload reads again, else a random one that stays the same until the
 * process ends. Thread-safe.
 */
final class ProcessRing implements Supplier<KeyRing> {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessRing.class);

    private final KeyRing own = KeyRing.random();
    private final MeterRegistry registry;
    private volatile KeyRing current;

    ProcessRing(GatewayConfig config, MeterRegistry registry) {
        this.registry = registry;
        this.current = of(config);
        RingContext.meter(current, registry);
    }

    /** Returns the ring of a configuration, from its file; throws {@link RuntimeException} with the reason when there is none. */
    KeyRing of(GatewayConfig config) {
        KeyRing configured = new AdmissionMapping(config).ring();
        return configured == null ? own : configured;
    }

    /** Returns the ring in force. */
    @Override
    public KeyRing get() {
        return current;
    }

    /** Puts a ring into force. */
    void take(KeyRing next) {
        if (!next.equals(current)) {
            current = next;
            RingContext.meter(next, registry);
            LOG.info("key ring: {}", RingContext.text(next));
        }
    }
}
