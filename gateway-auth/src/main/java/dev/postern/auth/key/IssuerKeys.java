package dev.postern.auth.key;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys of all issuers, kept up to date in the background. Thread-safe; look-ups go to the {@link KeyTable} of the moment and never
 * wait.
 */
public final class IssuerKeys implements AutoCloseable {

    private final Map<String, IssuerRecord> records = new LinkedHashMap<>();
    private final Map<String, IssuerFeed> feeds = new LinkedHashMap<>();
    private final Map<String, @Nullable Gauge> gauges = new LinkedHashMap<>();
    private final MeterRegistry registry;
    private final ScheduledThreadPoolExecutor thread;
    private final DirectoryClient client;
    private final Duration skew;
    private final CompletableFuture<Void> started;
    private volatile KeyTable table;

    private IssuerKeys(
            List<IssuerSettings> issuers,
            Duration skew,
            MeterRegistry registry,
            InstantSource clock,
            DirectoryClient client) {
        this.skew = skew;
        this.registry = registry;
        this.client = client;
        this.thread = new ScheduledThreadPoolExecutor(1, IssuerKeys::daemon);
        thread.setRemoveOnCancelPolicy(true);
        Function<IssuerSettings, IssuerRecord> record =
                s -> new IssuerRecord(s.name(), s.keyGrace(), StaticKeys.read(s), new SecretKeys(s.privateKeyFiles()));
        IssuerFeed.Surroundings around = new IssuerFeed.Surroundings(client, thread, clock, registry, this::rebuild);
        for (IssuerSettings settings : issuers) {
            IssuerRecord keys = record.apply(settings);
            if (records.put(settings.name(), keys) != null) {
                throw new IllegalArgumentException("issuers.name: " + settings.name() + " (expected: each once)");
            }
            URI directory = settings.directory();
            if (directory != null) {
                feeds.put(settings.name(), new IssuerFeed(settings, directory, keys, around));
            }
            gauge(settings.name(), clock);
        }
        this.table = new KeyTable(accepted(records.values()), skew);
        this.started = CompletableFuture.allOf(
                feeds.values().stream().map(IssuerFeed::start).toArray(CompletableFuture<?>[]::new));
    }

    /** Reads static keys and begins to fetch directories; does not wait for them. */
    public static IssuerKeys open(
            List<IssuerSettings> issuers, Duration skew, MeterRegistry registry, InstantSource clock) {
        return open(issuers, skew, registry, clock, null);
    }

    /** The same with another idea of whom to trust. */
    public static IssuerKeys open(
            List<IssuerSettings> issuers,
            Duration skew,
            MeterRegistry registry,
            InstantSource clock,
            @Nullable SSLContext tls) {
        DirectoryClient client = new DirectoryClient(clock, tls);
        try {
            return new IssuerKeys(issuers, skew, registry, clock, client);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    public KeyTable table() {
        return table;
    }

    /**
     * Asks an issuer again, because of a key that it may have published a moment ago. The future completes, always normally, on another
     * thread when the table is up to date; null when there is nothing to ask or the last fetch began less than five seconds ago.
     */
    public @Nullable CompletableFuture<Void> refetch(String issuer) {
        IssuerFeed feed = feeds.get(issuer);
        return feed == null ? null : feed.refetch();
    }

    /** Waits until each directory was asked once, whatever came of it; for start-up, never on an event loop. */
    public void awaitFirst(Duration most) throws InterruptedException {
        try {
            started.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The feeds have said in the log what is wrong, and go on trying.
            return;
        }
    }

    public List<IssuerStatus> status() {
        List<IssuerStatus> all = new ArrayList<>();
        records.forEach((issuer, record) -> {
            IssuerFeed feed = feeds.get(issuer);
            IssuerFeed.Report report = feed == null ? new IssuerFeed.Report(null, null, "") : feed.report();
            all.add(new IssuerStatus(
                    issuer,
                    feed == null ? null : feed.uri(),
                    report.success(),
                    report.next(),
                    report.problem(),
                    record.accepted()));
        });
        return all;
    }

    /** Replaces the gauge of an earlier instance: after a reload the registry would go on asking that one. */
    private void gauge(String issuer, InstantSource clock) {
        Gauge earlier = find(issuer);
        if (earlier != null) {
            registry.remove(earlier);
        }
        Meters.ISSUER_KEYS.gauge(registry, () -> table.count(issuer, clock.instant()), issuer);
        gauges.put(issuer, find(issuer));
    }

    private @Nullable Gauge find(String issuer) {
        return registry.find(Meters.ISSUER_KEYS.meter()).tag("issuer", issuer).gauge();
    }

    private void rebuild() {
        table = new KeyTable(accepted(records.values()), skew);
    }

    private static List<AcceptedKey> accepted(Iterable<IssuerRecord> records) {
        List<AcceptedKey> all = new ArrayList<>();
        records.forEach(r -> all.addAll(r.accepted()));
        return all;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "postern-issuer-keys");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        gauges.forEach((issuer, mine) -> {
            if (mine != null && mine == find(issuer)) {
                registry.remove(mine);
            }
        });
        thread.shutdownNow();
        client.close();
    }
}
