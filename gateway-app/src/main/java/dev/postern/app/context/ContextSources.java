package dev.postern.app.context;

import dev.postern.auth.Auth;
import dev.postern.auth.batch.BatchProvider;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.auth.verify.CryptoProvider;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sources of the hidden context by layer, each list in reading order. */
public final class ContextSources {

    private static final ProcFiles PROC = new ProcFiles(Path.of("/proc"));

    private ContextSources() {}

    /**
     * Returns the sources of the connections.
     *
     * @param requested options of every socket whose listener or upstream configures no others
     * @param upstreams returns those in force
     */
    public static List<ContextSource> connections(
            Transport transport,
            SocketOptions requested,
            SocketOptionsMonitor monitor,
            Supplier<Upstreams> upstreams,
            SpendLedger ledger) {
        return List.of(
                () -> ConnectionContext.transport(transport, requested, PROC),
                () -> ConnectionContext.sockets(monitor, PROC),
                () -> ConnectionContext.upstreams(upstreams.get()),
                () -> ConnectionContext.ledger(ledger.connections()));
    }

    /**
     * Returns the sources of the libraries.
     *
     * @param tlsInUse whether the configuration in force has TLS
     */
    public static List<ContextSource> libraries(
            Auth auth, ByteBufAllocator allocator, TlsEngine engine, BooleanSupplier tlsInUse) {
        String name = allocator.getClass().getSimpleName();
        return List.of(
                () -> ProcessContext.libraries(auth.provider(), name, engine, tlsInUse.getAsBoolean()),
                () -> BatchContext.items(auth.batchProvider()));
    }

    /** Returns the sources of the JVM, the container and the kernel. */
    public static List<ContextSource> process(ProcessContext.Needs needs) {
        CgroupLimits limits = new CgroupLimits(Path.of("/sys/fs/cgroup"), PROC);
        return List.of(
                eachMinute(() -> ProcessContext.jvm(JvmFacts.read(), PROC)),
                eachMinute(() -> List.of(AotCache.read(PROC).item())),
                eachMinute(() -> ProcessContext.container(limits, JvmFacts.read())),
                eachMinute(() -> ProcessContext.kernel(PROC, needs)));
    }

    /**
     * Returns the sources that compare what happens from look to look.
     *
     * @param upstreams returns those in force
     * @param spends every check of the ledger
     */
    public static List<ContextSource> detectors(
            Supplier<Upstreams> upstreams, StripedHistogram spends, MeterRegistry registry) {
        return List.of(
                throttled(new UpstreamTraffic(() -> traffic(upstreams.get()))),
                throttled(new LedgerLatency(() -> spends(spends))),
                new ThrottledSource(new LoopLag(() -> lag(registry)), OverloadWatch.LAG_REMEMBERED),
                throttled(GcShare.ofThis(PROC)),
                new CostContext(() -> CostContext.Totals.read(exchanges(registry))));
    }

    /** Limits the detector to one look per second, because detectors count looks and several readers ask for them. */
    private static ContextSource throttled(ContextSource source) {
        return new ThrottledSource(source, Duration.ofSeconds(1));
    }

    /** Limits to one reading a minute what seldom changes while the process runs, and takes many files or much code to read. */
    private static ContextSource eachMinute(ContextSource source) {
        return new ThrottledSource(source, Duration.ofMinutes(1));
    }

    private static double lag(MeterRegistry registry) {
        return registry.get(Meters.LOOP_LAG.meter()).gauge().value();
    }

    private static Map<String, Upstream.Traffic> traffic(Upstreams upstreams) {
        return upstreams.all().stream()
                .collect(Collectors.toMap(Upstream::name, Upstream::traffic, (one, other) -> one, TreeMap::new));
    }

    private static LedgerLatency.Spends spends(StripedHistogram checks) {
        double count = 0;
        double slow = 0;
        double millis = 0;
        for (int result = 0; result < checks.series().size(); result++) {
            StripedHistogram.Times now = checks.of(result);
            count += now.count();
            slow += now.count() - now.within(LedgerLatency.SLOW);
            millis += now.sum().toNanos() / 1e6;
        }
        return new LedgerLatency.Spends(count, slow, millis);
    }

    private static double exchanges(MeterRegistry registry) {
        return registry.find(Meters.EXCHANGES.meter()).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    /**
     * Context of signature checks in batches: the library for them, or why there is none. No machine lacks it for correct work, and few have CPU,
     * JDK and library for it, so a missing library is no difference from the wanted values.
     */
    static final class BatchContext {

        private BatchContext() {}

        /** Reads the library and its speed. */
        static List<ContextItem> items(CryptoProvider batches) {
            String found = batches.name().equals(BatchProvider.NONE)
                    ? BatchProvider.NONE + ": " + batches.why()
                    : batches.name();
            return List.of(
                    ContextItem.fact("crypto.batches", found),
                    ContextItem.measure(
                            "crypto.verifications-in-batches-per-second",
                            Long.toString(Math.round(batches.perSecond()))));
        }
    }

    /**
     * Source with a minimum interval between two readings of another; in between it returns the last result. Detectors count repeated readings, so
     * that frequent reloads of a page must not count one event several times; what only an operator changes needs no reading every few seconds.
     * Confined to the owner's thread.
     */
    static final class ThrottledSource implements ContextSource {

        private final ContextSource source;
        private final long pauseNanos;
        private final LongSupplier clock;
        private @Nullable List<ContextItem> last;
        private long lastReading;

        /** @param pause minimum between two readings */
        ThrottledSource(ContextSource source, Duration pause) {
            this(source, pause, System::nanoTime);
        }

        /** @param clock in place of {@link System#nanoTime} */
        ThrottledSource(ContextSource source, Duration pause, LongSupplier clock) {
            this.source = source;
            this.pauseNanos = pause.toNanos();
            this.clock = clock;
        }

        @Override
        public List<ContextItem> items() {
            long now = clock.getAsLong();
            List<ContextItem> items = last;
            if (items == null || now - lastReading >= pauseNanos) {
                items = source.items();
                last = items;
                lastReading = now;
            }
            return items;
        }
    }
}
