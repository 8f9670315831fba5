package dev.postern.core.tls;

import dev.postern.core.metrics.Meters;
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
    private final Map<Place, Looking> places = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-certificates", true));

    /** @param expiry gets the certificates of listeners */
    public CertificateReloader(Duration every, MeterRegistry registry, CertificateExpiry expiry) {
        this.registry = registry;
        this.expiry = expiry;
        thread.scheduleWithFixedDelay(
                () -> places.values().forEach(Looking::look), every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Listener or upstream with certificate files, and the meter for reloads. */
    private record Place(Meters meter, String kind, String name) {

        static Place listener(String name) {
            return new Place(Meters.CERTIFICATES, "listener", name);
        }

        static Place upstream(String name) {
            return new Place(Meters.UPSTREAM_CERTIFICATES, "upstream", name);
        }

        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    /** Watches the files of that listener from now on, instead of its previous files. */
    public void add(String listener, ServerTls tls) {
        watch(Place.listener(listener), look(listener, tls));
    }

    /** Returns a check that reloads changed files and reports the expiry of the certificates in force. */
    private Supplier<ServerTls.Look> look(String listener, ServerTls tls) {
        expiry.put(listener, tls.expiries());
        return () -> {
            ServerTls.Look look = tls.refresh();
            expiry.update(listener, tls.expiries());
            return look;
        };
    }

    /** Watches the file of that upstream from now on, instead of its previous file. */
    public void add(String upstream, ClientTls tls) {
        watch(Place.upstream(upstream), tls::refresh);
    }

    /** Watches the files of exactly these listeners and upstreams. */
    public void only(Map<String, ServerTls> listeners, Map<String, ClientTls> upstreams) {
        Map<Place, Supplier<ServerTls.Look>> wanted = new HashMap<>();
        expiry.only(listeners.keySet());
        listeners.forEach((name, tls) -> wanted.put(Place.listener(name), look(name, tls)));
        upstreams.forEach((name, tls) -> wanted.put(Place.upstream(name), tls::refresh));
        places.keySet().removeIf(place -> {
            boolean gone = !wanted.containsKey(place);
            if (gone) {
                place.meter().remove(registry, place.name());
            }
            return gone;
        });
        wanted.forEach(this::watch);
    }

    private void watch(Place place, Supplier<ServerTls.Look> refresh) {
        places.computeIfAbsent(place, p -> new Looking(p, refresh, registry)).refresh = refresh;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** State of the files of one place; used by one thread. */
    private static final class Looking {

        private final Place place;
        private final LongAdder renewed = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private volatile Supplier<ServerTls.Look> refresh;
        private String told = "";

        Looking(Place place, Supplier<ServerTls.Look> refresh, MeterRegistry registry) {
            this.place = place;
            this.refresh = refresh;
            place.meter().count(registry, renewed::sum, place.name(), "renewed");
            place.meter().count(registry, failed::sum, place.name(), "failed");
        }

        void look() {
            try {
                if (refresh.get() == ServerTls.Look.RENEWED) {
                    renewed.increment();
                    LOG.info("{}: new certificates are in force", place);
                }
                told = "";
            } catch (RuntimeException e) {
                String text = String.valueOf(e.getMessage());
                // An unreadable file fails at every check; one log line and one count for the whole time.
                if (!text.equals(told)) {
                    told = text;
                    failed.increment();
                    LOG.warn("{}: new certificates can't be used, the old ones stay in force: {}", place, text);
                }
            }
        }
    }
}
