package dev.postern.auth.key;

import static java.util.stream.Collectors.joining;

import dev.postern.auth.key.DirectoryClient.Fetched;
import dev.postern.auth.key.DirectoryClient.Validators;
import dev.postern.auth.key.IssuerDirectory.Skipped;
import dev.postern.core.metrics.Meters;
import dev.postern.core.transport.FailureText;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refresher of one issuer's keys: fetches the directory shortly before the copy becomes stale, or sooner on request, never twice in five
 * seconds, and keeps the copy when the issuer is unavailable or publishes an invalid directory. Thread-safe.
 */
final class DirectoryRefresher {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryRefresher.class);

    private static final CompletableFuture<Void> ENDED = CompletableFuture.completedFuture(null);
    private static final List<String> RESULTS = List.of("ok", "unchanged", "bad", "failed");
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(1);
    private static final int MAX_LOGGED = 5;

    private final IssuerSettings settings;
    private final URI uri;
    private final IssuerKeyState keys;
    private final Dependencies dependencies;
    private final AtomicReference<@Nullable CompletableFuture<Void>> running = new AtomicReference<>();
    private final RefreshRateLimit limit;
    private volatile Report report = Report.NONE;
    private volatile @Nullable Validators validators;
    // Used only on the thread that all refreshers share.
    private @Nullable Duration maxAge;
    private @Nullable ScheduledFuture<?> pending;
    private int failures;

    /** Dependencies that all refreshers share. */
    record Dependencies(
            DirectoryClient client,
            KeyDiskCache cache,
            ScheduledExecutorService thread,
            InstantSource clock,
            Ticker ticker,
            MeterRegistry registry,
            Runnable changed) {}

    /** One of the two fetches of a {@link DirectoryClient}. */
    @FunctionalInterface
    private interface Fetch {

        CompletableFuture<Fetched> of(URI uri, @Nullable Validators copy);
    }

    /**
     * Report of the last fetches.
     *
     * @param success when the directory was last fetched or confirmed, or null
     * @param freshUntil when that copy becomes stale, or null
     * @param failure when a fetch last failed, or null
     * @param next when the next fetch is due, or null during a fetch
     * @param problem error of the last fetch; empty when the fetch succeeded
     * @param skipped parts of the last directory that cannot be used
     */
    record Report(
            @Nullable Instant success,
            @Nullable Instant freshUntil,
            @Nullable Instant failure,
            @Nullable Instant next,
            String problem,
            List<Skipped> skipped) {

        static final Report NONE = new Report(null, null, null, null, "", List.of());

        Report with(List<Skipped> others) {
            return new Report(success, freshUntil, failure, next, problem, others);
        }

        Report next(Instant at) {
            return new Report(success, freshUntil, failure, at, problem, skipped);
        }
    }

    DirectoryRefresher(IssuerSettings settings, URI uri, IssuerKeyState keys, Dependencies dependencies) {
        this.settings = settings;
        this.uri = uri;
        this.keys = keys;
        this.dependencies = dependencies;
        this.limit = new RefreshRateLimit(now());
        RESULTS.forEach(this::counter);
    }

    String issuer() {
        return settings.name();
    }

    URI uri() {
        return uri;
    }

    Report report() {
        return report;
    }

    /** Returns the fetch that is running, has just ended or is started by this call; null when the last fetch is too recent. */
    @Nullable
    CompletableFuture<Void> refetch() {
        CompletableFuture<Void> current = running.get();
        if (current != null) {
            return current;
        }
        long now = now();
        if (limit.justEnded(now)) {
            return ENDED;
        }
        // A key is missing, or an operator asks: what a cache on the way has is not new enough.
        return limit.allows(now) ? begin(dependencies.client()::fetchCurrent) : null;
    }

    /** Fetches now unless a fetch is running. */
    CompletableFuture<Void> start() {
        return begin(dependencies.client()::fetch);
    }

    private CompletableFuture<Void> begin(Fetch fetch) {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        if (!running.compareAndSet(null, mine)) {
            CompletableFuture<Void> other = running.get();
            return other != null ? other : ENDED;
        }
        limit.begin(now());
        fetch.of(uri, validators)
                .whenCompleteAsync((fetched, failure) -> done(mine, fetched, failure), dependencies.thread());
        return mine;
    }

    /** Completes a fetch; runs on the thread that all refreshers share. */
    private void done(CompletableFuture<Void> mine, @Nullable Fetched fetched, @Nullable Throwable failure) {
        Duration next;
        try {
            next = fetched != null ? take(fetched) : failed(failure);
        } catch (IllegalArgumentException e) {
            next = failed(e);
        }
        report = report.next(dependencies.clock().instant().plus(next));
        if (pending != null) {
            // A requested fetch replaces the scheduled one; otherwise each would start a series of its own.
            pending.cancel(false);
        }
        pending = dependencies.thread().schedule(this::start, next.toMillis(), TimeUnit.MILLISECONDS);
        limit.end(now());
        running.set(null);
        mine.complete(null);
    }

    private Duration take(Fetched fetched) {
        Instant now = dependencies.clock().instant();
        if (fetched.directory() != null) {
            note(fetched.directory().skipped());
            keys.apply(settings.pinned(fetched.directory()), now);
            dependencies.changed().run();
            dependencies.cache().keep(settings, keys.accepted());
        }
        // A 304 without caching fields keeps the lifetime of the full response (RFC 9111 section 4.3.4).
        maxAge = fetched.directory() == null && fetched.fresh() == null ? maxAge : fetched.fresh();
        validators = fetched.validators();
        failures = 0;
        Duration fresh = maxAge != null && maxAge.compareTo(settings.refresh()) < 0 ? maxAge : settings.refresh();
        report = new Report(now, now.plus(fresh), report.failure(), null, "", report.skipped());
        count(fetched.directory() != null ? "ok" : "unchanged");
        // Slightly early, so that the copy does not become stale during the fetch.
        Duration early = fresh.minus(fresh.dividedBy(10));
        return early.compareTo(RefreshRateLimit.MIN_INTERVAL) < 0 ? shortest() : early;
    }

    /** Records which parts of the directory were skipped; logs them if they are others than before. */
    private void note(List<Skipped> skipped) {
        if (skipped.equals(report.skipped())) {
            return;
        }
        if (skipped.isEmpty()) {
            LOG.info("Issuer {}: all parts of the directory can be used again", issuer());
        } else {
            LOG.warn(
                    "Issuer {}: {} parts of the directory skipped: {}{}",
                    issuer(),
                    skipped.size(),
                    skipped.stream().limit(MAX_LOGGED).map(Skipped::toString).collect(joining("; ")),
                    skipped.size() > MAX_LOGGED ? "; ..." : "");
        }
        report = report.with(skipped);
    }

    /** Returns the shortest interval, which also applies to directories that must not be cached. */
    private Duration shortest() {
        return settings.refresh().compareTo(RefreshRateLimit.MIN_INTERVAL) < 0
                ? settings.refresh()
                : RefreshRateLimit.MIN_INTERVAL;
    }

    private Duration failed(@Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean bad = cause instanceof IllegalArgumentException;
        String problem = FailureText.of(cause);
        LOG.warn(
                "Issuer {}: directory not used, {} keys kept: {}",
                issuer(),
                keys.accepted().size(),
                problem);
        count(bad ? "bad" : "failed");
        report = new Report(
                report.success(), report.freshUntil(), dependencies.clock().instant(), null, problem, report.skipped());
        Duration backoff = Duration.ofSeconds(1L << Math.min(failures++, 6));
        Duration bounded = backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF;
        return bounded.compareTo(settings.refresh()) < 0 ? bounded : settings.refresh();
    }

    private long now() {
        return dependencies.ticker().nanoTime();
    }

    private void count(String result) {
        counter(result).increment();
    }

    private Counter counter(String result) {
        return Meters.ISSUER_FETCHES.counter(dependencies.registry(), issuer(), result);
    }
}
