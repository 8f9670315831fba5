package dev.postern.core.extension;

import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.spi.Extension;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what extensions do wrong and tells of it, seldom enough that a broken one does not fill the log. Thread-safe. */
final class ExtensionErrors {

    private static final Logger LOG = LoggerFactory.getLogger(ExtensionErrors.class);

    private final MeterRegistry registry;
    private final LogRateLimiter limiter = new LogRateLimiter();

    ExtensionErrors(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Counts from nothing: a counter that begins with its first fault hides that one from whoever looks at its growth. */
    void begin(Extension extension) {
        counter(extension);
    }

    /** What it was doing, and what it threw. */
    void note(Extension extension, String subject, Throwable cause) {
        String name = extension.getClass().getName();
        counter(extension).increment();
        if (limiter.tryAcquire()) {
            LOG.error("extension {} failed: {}", name, subject, cause);
        }
    }

    private Counter counter(Extension extension) {
        return Meters.EXTENSION_FAULTS.counter(registry, extension.getClass().getName());
    }
}
