package dev.postern.core.tls;

import dev.postern.core.metrics.Meters;
import dev.postern.core.tls.certificate.CertificateExpiry;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificate reloader: checks certificate files for changes periodically, in a thread of its own, and logs and counts each reload.
 * Thread-safe.
 */
public final class CertificateReloader implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateReloader.class);

    private final MeterRegistry registry;
    private final CertificateExpiry expiry;
    private final Map<CertificateOwner, WatchedFiles> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-certificates", true));

    /** @param expiry gets the certificates of listeners */
    public CertificateReloader(Duration every, MeterRegistry registry, CertificateExpiry expiry) {
        this.registry = registry;
        this.expiry = expiry;
        thread.scheduleWithFixedDelay(this::check, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Reloads the files that have changed. */
    void check() {
        watched.values().forEach(WatchedFiles::check);
    }

    /** Listener or upstream with certificate files, and the meter for reloads. */
    private record CertificateOwner(Meters meter, String kind, String name) {

        static CertificateOwner listener(String name) {
            return new CertificateOwner(Meters.CERTIFICATES, "listener", name);
        }

        static CertificateOwner upstream(String name) {
            return new CertificateOwner(Meters.UPSTREAM_CERTIFICATES, "upstream", name);
        }

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    /** Watches the files of that listener from now on, instead of its previous files. */
    public void add(String listener, ServerTls tls) {
        watch(CertificateOwner.listener(listener), check(listener, tls));
    }

    /** Returns a check that reloads changed files and reports the expiry of the certificates in force. */
    private Supplier<ServerTls.Refresh> check(String listener, ServerTls tls) {
        expiry.put(listener, tls.expiries());
        return () -> {
            ServerTls.Refresh check = tls.refresh();
            expiry.update(listener, tls.expiries());
            return check;
        };
    }

    /** Watches the file of that upstream from now on, instead of its previous file. */
    public void add(String upstream, ClientTls tls) {
        watch(CertificateOwner.upstream(upstream), tls::refresh);
    }

    /** Watches the files of exactly these listeners and upstreams. */
    public void only(Map<String, ServerTls> listeners, Map<String, ClientTls> upstreams) {
        Map<CertificateOwner, Supplier<ServerTls.Refresh>> wanted = new HashMap<>();
        expiry.only(listeners.keySet());
        listeners.forEach((name, tls) -> wanted.put(CertificateOwner.listener(name), check(name, tls)));
        upstreams.forEach((name, tls) -> wanted.put(CertificateOwner.upstream(name), tls::refresh));
        watched.keySet().removeIf(owner -> {
            boolean removed = !wanted.containsKey(owner);
            if (removed) {
                owner.meter().remove(registry, owner.name());
            }
            return removed;
        });
        wanted.forEach(this::watch);
    }

    private void watch(CertificateOwner owner, Supplier<ServerTls.Refresh> refresh) {
        watched.computeIfAbsent(owner, p -> new WatchedFiles(p, refresh, registry)).refresh = refresh;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** State of the files of one listener or upstream; used by one thread. */
    private static final class WatchedFiles {

        private final CertificateOwner owner;
        private final LongAdder renewed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private volatile Supplier<ServerTls.Refresh> refresh;
        private String lastError = "";

        WatchedFiles(CertificateOwner owner, Supplier<ServerTls.Refresh> refresh, MeterRegistry registry) {
            this.owner = owner;
            this.refresh = refresh;
            owner.meter().count(registry, renewed::sum, owner.name(), "renewed");
            owner.meter().count(registry, failed::sum, owner.name(), "failed");
        }

        void check() {
            try {
                if (refresh.get() == ServerTls.Refresh.RENEWED) {
                    renewed.increment();
                    LOG.info("{}: new certificates are in force", owner);
                }
                lastError = "";
            } catch (RuntimeException e) {
                String text = String.valueOf(e.getMessage());
                // An unreadable file fails at every check; one log line and one count for the whole time.
                if (!text.equals(lastError)) {
                    lastError = text;
                    failed.increment();
                    LOG.warn("{}: new certificates can't be used, the old ones stay in force: {}", owner, text);
                }
            }
        }
    }
}
