package dev.postern.core.extension;

import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.spi.Extension;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors of extensions: counts and logs them, with a rate limit so that a broken extension does not fill the log. Thread-safe. */
final class ExtensionErrors {

    private static final Logger LOG = LoggerFactory.getLogger(ExtensionErrors.class);

    private final MeterRegistry registry;
    private final LogRateLimiter limiter;

    ExtensionErrors(MeterRegistry registry, Ticker ticker) {
        this.registry = registry;
        this.limiter = new LogRateLimiter(ticker);
    }

    /** Registers the counter at zero: a counter that appears with its first error hides this error from rate queries. */
    void begin(Extension extension) {
        counter(extension);
    }

    /** Records an error: the call that failed, and its exception. */
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
