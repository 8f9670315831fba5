package dev.postern.app.context;

import dev.postern.auth.Auth;
import dev.postern.auth.spend.SpendLedger;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;

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
}
