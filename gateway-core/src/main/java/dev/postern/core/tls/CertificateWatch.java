package dev.postern.core.tls;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the files of listeners' certificates every so often, from a thread of its own, and says what became of them. Thread-safe. */
public final class CertificateWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final Duration every;
    private final MeterRegistry registry;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-certificates", true));

    public CertificateWatch(Duration every, MeterRegistry registry) {
        this.every = every;
        this.registry = registry;
    }

    /** Watches the files of that listener from now on. */
    public void add(String listener, ServerTls tls) {
        Looking looking = new Looking(listener, tls);
        Meters.CERTIFICATES.count(registry, looking.renewed::sum, listener, "renewed");
        Meters.CERTIFICATES.count(registry, looking.failed::sum, listener, "failed");
        thread.scheduleWithFixedDelay(looking, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One listener's files, looked at by one thread. */
    private static final class Looking implements Runnable {

        private final String listener;
        private final ServerTls tls;
        private final LongAdder renewed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private String told = "";

        Looking(String listener, ServerTls tls) {
            this.listener = listener;
            this.tls = tls;
        }

        @Override
        public void run() {
            try {
                if (tls.refresh() == ServerTls.Look.RENEWED) {
                    renewed.increment();
                    LOG.info("listener {}: new certificates are in force", listener);
                }
                told = "";
            } catch (RuntimeException e) {
                String text = String.valueOf(e.getMessage());
                // A file that is away stays away for many looks; one line and one count for all of them.
                if (!text.equals(told)) {
                    told = text;
                    failed.increment();
                    LOG.warn(
                            "listener {}: new certificates can't be used, the old ones stay in force: {}",
                            listener,
                            text);
                }
            }
        }
    }
}
