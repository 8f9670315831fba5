package dev.postern.core.tls;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the files of certificates every so often, from a thread of its own, and says what became of them. Thread-safe. */
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
        watch(new Looking("listener " + listener, tls::refresh), Meters.CERTIFICATES, listener);
    }

    /** Watches the file of that upstream from now on. */
    public void add(String upstream, ClientTls tls) {
        watch(new Looking("upstream " + upstream, tls::refresh), Meters.UPSTREAM_CERTIFICATES, upstream);
    }

    private void watch(Looking looking, Meters meter, String name) {
        meter.count(registry, looking.renewed::sum, name, "renewed");
        meter.count(registry, looking.failed::sum, name, "failed");
        thread.scheduleWithFixedDelay(looking, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One place's files, looked at by one thread. */
    private static final class Looking implements Runnable {

        private final String place;
        private final Supplier<ServerTls.Look> refresh;
        private final LongAdder renewed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private String told = "";

        Looking(String place, Supplier<ServerTls.Look> refresh) {
            this.place = place;
            this.refresh = refresh;
        }

        @Override
        public void run() {
            try {
                if (refresh.get() == ServerTls.Look.RENEWED) {
                    renewed.increment();
                    LOG.info("{}: new certificates are in force", place);
                }
                told = "";
            } catch (RuntimeException e) {
                String text = String.valueOf(e.getMessage());
                // A file that is away stays away for many looks; one line and one count for all of them.
                if (!text.equals(told)) {
                    told = text;
                    failed.increment();
                    LOG.warn("{}: new certificates can't be used, the old ones stay in force: {}", place, text);
                }
            }
        }
    }
}
