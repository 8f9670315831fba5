package dev.postern.core.tls;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the files of listeners' certificates every so often, from a thread of its own, and says what became of them. Thread-safe. */
public final class CertificateWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final MeterRegistry registry;
    private final Map<String, Looking> listeners = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-certificates", true));

    public CertificateWatch(Duration every, MeterRegistry registry) {
        this.registry = registry;
        thread.scheduleWithFixedDelay(
                () -> listeners.values().forEach(Looking::look),
                every.toNanos(),
                every.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Watches the files of that listener from now on, in place of those that it had before. */
    public void add(String listener, ServerTls tls) {
        listeners.computeIfAbsent(listener, name -> new Looking(name, tls, registry)).tls = tls;
    }

    /** Watches the files of these listeners and no others. */
    public void only(Map<String, ServerTls> byListener) {
        listeners.keySet().removeIf(name -> {
            boolean gone = !byListener.containsKey(name);
            if (gone) {
                Meters.CERTIFICATES.remove(registry, name);
            }
            return gone;
        });
        byListener.forEach(this::add);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** One listener's files, looked at by one thread. */
    private static final class Looking {

        private final String listener;
        private final LongAdder renewed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private volatile ServerTls tls;
        private String told = "";

        Looking(String listener, ServerTls tls, MeterRegistry registry) {
            this.listener = listener;
            this.tls = tls;
            Meters.CERTIFICATES.count(registry, renewed::sum, listener, "renewed");
            Meters.CERTIFICATES.count(registry, failed::sum, listener, "failed");
        }

        void look() {
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
