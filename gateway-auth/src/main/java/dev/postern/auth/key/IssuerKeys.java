package dev.postern.auth.key;

import dev.postern.auth.token.Bytes32;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keys of all issuers, refreshed in the background. Thread-safe; lookups use the current {@link KeyTable} and never wait. */
public final class IssuerKeys implements AutoCloseable {

    private final Map<String, IssuerKeyState> states = new LinkedHashMap<>();
    private final Map<String, DirectoryRefresher> refreshers = new LinkedHashMap<>();
    /** Keys that an operator dropped, by issuer; the sets grow at run time. */
    private final Map<String, Set<Bytes32>> dropped = new LinkedHashMap<>();

    private final List<IssuerMetrics> metrics = new ArrayList<>();
    private final List<IssuerSettings> issuers;
    private final Environment environment;
    private final InstantSource clock;
    private final ScheduledExecutorService thread;
    private final DirectoryClient client;
    private final Duration skew;
    private final CompletableFuture<Void> started;
    private volatile KeyTable table;

    private IssuerKeys(
            List<IssuerSettings> issuers,
            @Nullable Path cacheFolder,
            Duration skew,
            Environment environment,
            DirectoryClient client,
            ScheduledExecutorService thread,
            @Nullable IssuerKeys before) {
        MeterRegistry registry = environment.registry();
        this.issuers = List.copyOf(issuers);
        this.environment = environment;
        this.skew = skew;
        this.clock = environment.clock();
        this.client = client;
        this.thread = thread;
        Function<IssuerSettings, IssuerKeyState> newState = s ->
                new IssuerKeyState(s.name(), s.keyGrace(), StaticKeys.read(s), new SecretKeys(s.privateKeyFiles()));
        KeyDiskCache cache = new KeyDiskCache(cacheFolder);
        DirectoryRefresher.Dependencies dependencies = new DirectoryRefresher.Dependencies(
                client, cache, thread, clock, environment.ticker(), registry, this::rebuild);
        for (IssuerSettings settings : issuers) {
            IssuerKeyState keys = newState.apply(settings);
            if (states.put(settings.name(), keys) != null) {
                throw new IllegalArgumentException("issuers.name: " + settings.name() + " (expected: each once)");
            }
            Set<Bytes32> out = dropped(settings);
            if (before != null) {
                out.addAll(before.droppedAtRunTime(settings.name()));
            }
            dropped.put(settings.name(), out);
            URI directory = settings.directoryUri();
            if (directory != null) {
                List<AcceptedKey> known = before == null ? List.of() : before.listed(settings);
                keys.restore(known.isEmpty() ? cache.load(settings) : known, clock.instant());
                refreshers.put(settings.name(), new DirectoryRefresher(settings, directory, keys, dependencies));
            }
        }
        this.table = new KeyTable(accepted(), skew);
        this.started = CompletableFuture.allOf(
                refreshers.values().stream().map(DirectoryRefresher::start).toArray(CompletableFuture<?>[]::new));
    }

    /** Environment: the objects that the keys share with the rest of the process. */
    public record Environment(MeterRegistry registry, InstantSource clock, Ticker ticker) {}

    /**
     * Reads static keys and starts to fetch directories; does not wait for them.
     *
     * @param cacheFolder folder for the last good copies of directories, or null for none
     */
    public static IssuerKeys open(
            List<IssuerSettings> issuers, @Nullable Path cacheFolder, Duration skew, Environment environment) {
        return open(issuers, cacheFolder, skew, environment, new DirectoryClient(environment.clock(), null), thread());
    }

    /**
     * Opens the keys of changed settings: issuers that stay keep what their directory said last, and keys that an operator dropped stay
     * dropped. These keys stay in force; {@link #publish} follows, or {@link #close} of the others.
     */
    public IssuerKeys next(List<IssuerSettings> changed, @Nullable Path cacheFolder, Duration other) {
        return create(changed, cacheFolder, other, environment, new DirectoryClient(clock, null), thread(), this);
    }

    /** Drops the keys that an operator dropped of earlier keys meanwhile. */
    public void inherit(IssuerKeys before) {
        dropped.forEach((issuer, out) -> out.addAll(before.droppedAtRunTime(issuer)));
        rebuild();
    }

    /** Registers the meters of the issuers, in place of those that earlier keys registered. */
    public void publish() {
        issuers.forEach(i -> metrics.add(new IssuerMetrics(i.name(), this, environment.registry())));
    }

    /** Returns whether an issuer has no key yet, so that its tokens can't be verified. */
    public boolean incomplete() {
        return states.values().stream().anyMatch(state -> state.accepted().isEmpty());
    }

    private static ScheduledExecutorService thread() {
        ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, IssuerKeys::daemon);
        thread.setRemoveOnCancelPolicy(true);
        return thread;
    }

    /** Opens with this client and this thread, which are closed with the keys. */
    static IssuerKeys open(
            List<IssuerSettings> issuers,
            @Nullable Path cacheFolder,
            Duration skew,
            Environment environment,
            DirectoryClient client,
            ScheduledExecutorService thread) {
        IssuerKeys keys = create(issuers, cacheFolder, skew, environment, client, thread, null);
        keys.publish();
        return keys;
    }

    private static IssuerKeys create(
            List<IssuerSettings> issuers,
            @Nullable Path cacheFolder,
            Duration skew,
            Environment environment,
            DirectoryClient client,
            ScheduledExecutorService thread,
            @Nullable IssuerKeys before) {
        try {
            return new IssuerKeys(issuers, cacheFolder, skew, environment, client, thread, before);
        } catch (RuntimeException e) {
            thread.shutdownNow();
            client.close();
            throw e;
        }
    }

    public KeyTable table() {
        return table;
    }

    /**
     * Fetches an issuer's directory again, because of a key that the issuer may have published a moment ago. The future completes, always
     * normally, on another thread when the table is up to date; null when the issuer has no directory or the last fetch began less than
     * five seconds ago.
     */
    public @Nullable CompletableFuture<Void> refetch(String issuer) {
        DirectoryRefresher refresher = refreshers.get(issuer);
        return refresher == null ? null : refresher.refetch();
    }

    /**
     * Drops a key at once: its tokens no longer pass, whatever its issuer lists, until this process ends.
     *
     * @return false when the issuer has no such key
     */
    public boolean drop(String issuer, String keyId) {
        IssuerKeyState state = states.get(issuer);
        Set<Bytes32> out = dropped.get(issuer);
        AcceptedKey key = state == null
                ? null
                : state.accepted().stream()
                        .filter(k -> k.key().id().toString().equals(keyId))
                        .findFirst()
                        .orElse(null);
        if (key == null || out == null) {
            return false;
        }
        out.add(key.key().id());
        rebuild();
        return true;
    }

    /** Waits until the first fetch of each directory has ended, with or without success; for start-up, never on an event loop. */
    public void awaitFirst(Duration limit) throws InterruptedException {
        try {
            started.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The refreshers have logged the error and continue.
            return;
        }
    }

    public List<IssuerStatus> status() {
        List<IssuerStatus> all = new ArrayList<>();
        states.forEach((issuer, state) -> {
            DirectoryRefresher refresher = refreshers.get(issuer);
            DirectoryRefresher.Report report = refresher == null ? DirectoryRefresher.Report.NONE : refresher.report();
            all.add(new IssuerStatus(
                    issuer,
                    refresher == null ? null : refresher.uri(),
                    report.success(),
                    report.freshUntil(),
                    report.failure(),
                    report.next(),
                    report.problem(),
                    report.skipped(),
                    accepted(issuer, state)));
        });
        return all;
    }

    Instant now() {
        return clock.instant();
    }

    /** Rebuilds the table. Drops and fetches may be concurrent: the last rebuild sees both. */
    private synchronized void rebuild() {
        table = new KeyTable(accepted(), skew);
    }

    private List<AcceptedKey> accepted() {
        List<AcceptedKey> all = new ArrayList<>();
        states.forEach((issuer, state) -> all.addAll(accepted(issuer, state)));
        return all;
    }

    private List<AcceptedKey> accepted(String issuer, IssuerKeyState state) {
        Set<Bytes32> out = dropped.getOrDefault(issuer, Set.of());
        return state.accepted().stream()
                .map(k -> out.contains(k.key().id()) ? k.drop() : k)
                .toList();
    }

    /** Returns the keys of an issuer's directory, if its settings name the same one; only those that they pin. */
    private List<AcceptedKey> listed(IssuerSettings settings) {
        IssuerKeyState state = states.get(settings.name());
        boolean same = issuers.stream()
                .anyMatch(one ->
                        one.name().equals(settings.name()) && Objects.equals(one.directory(), settings.directory()));
        return state == null || !same
                ? List.of()
                : state.accepted().stream()
                        .filter(key -> settings.pin().isEmpty()
                                || settings.pin().contains(key.key().id().toString()))
                        .toList();
    }

    /** Returns the keys of an issuer that an operator dropped, without those that its settings revoke. */
    private Set<Bytes32> droppedAtRunTime(String issuer) {
        Set<Bytes32> all = new HashSet<>(dropped.getOrDefault(issuer, Set.of()));
        issuers.stream().filter(one -> one.name().equals(issuer)).forEach(one -> all.removeAll(dropped(one)));
        return all;
    }

    private static Set<Bytes32> dropped(IssuerSettings settings) {
        Set<Bytes32> ids = ConcurrentHashMap.newKeySet();
        settings.revoked().forEach(id -> ids.add(Bytes32.at(HexFormat.of().parseHex(id), 0)));
        return ids;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "postern-issuer-keys");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        metrics.forEach(IssuerMetrics::close);
        thread.shutdownNow();
        client.close();
    }
}
