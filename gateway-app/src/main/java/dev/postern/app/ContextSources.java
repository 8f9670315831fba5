package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.context.AotCache;
import dev.postern.app.context.Baseline;
import dev.postern.app.context.BatchContext;
import dev.postern.app.context.CgroupLimits;
import dev.postern.app.context.ConnectionContext;
import dev.postern.app.context.ContextItem;
import dev.postern.app.context.ContextSource;
import dev.postern.app.context.CostContext;
import dev.postern.app.context.GcShare;
import dev.postern.app.context.JvmFacts;
import dev.postern.app.context.LedgerLatency;
import dev.postern.app.context.LoopLag;
import dev.postern.app.context.ProcFiles;
import dev.postern.app.context.ProcessContext;
import dev.postern.app.context.ThrottledSource;
import dev.postern.app.context.UpstreamTraffic;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sources of the hidden context of the assembled components. */
final class ContextSources {

    private ContextSources() {}

    /**
     * Returns the sources in reading order.
     *
     * @param inForce returns the configuration in force
     */
    static List<ContextSource> of(Components components, Supplier<GatewayConfig> inForce) {
        ProcFiles proc = new ProcFiles(Path.of("/proc"));
        CgroupLimits limits = new CgroupLimits(Path.of("/sys/fs/cgroup"), proc);
        Transport transport = components.network().transport();
        SocketOptions requested = components.network().settings().upstreamSockets(null);
        SocketOptionsMonitor monitor = components.network().monitor();
        String allocator =
                components.network().settings().allocator().getClass().getSimpleName();
        ProcessContext.Needs needs = needs(components);
        return List.of(
                () -> ConnectionContext.transport(transport, requested, proc),
                () -> ConnectionContext.sockets(monitor, proc),
                () -> ConnectionContext.upstreams(
                        components.serving().snapshot().get().upstreams()),
                () -> ConnectionContext.ledger(components.admission().ledger().connections()),
                () -> ProcessContext.libraries(
                        components.admission().auth().provider(),
                        allocator,
                        components.network().tls().engine(),
                        speaksTls(inForce.get())),
                () -> BatchContext.items(components.admission().auth().batchProvider()),
                eachMinute(() -> ProcessContext.jvm(JvmFacts.read(), proc)),
                eachMinute(() -> List.of(AotCache.read(proc).item())),
                eachMinute(() -> ProcessContext.container(limits, JvmFacts.read())),
                eachMinute(() -> ProcessContext.kernel(proc, needs)),
                throttled(new UpstreamTraffic(() -> traffic(components))),
                throttled(new LedgerLatency(() -> spends(components))),
                new ThrottledSource(new LoopLag(() -> lag(components)), OverloadWatch.LAG_REMEMBERED),
                throttled(GcShare.ofThis(proc)),
                new CostContext(() -> CostContext.Totals.read(exchanges(components))),
                () -> List.of(ContextItem.fact("postern.version", Version.OURS)));
    }

    /** Limits the detector to one look per second, because detectors count looks and several readers ask for them. */
    private static ContextSource throttled(ContextSource source) {
        return new ThrottledSource(source, Duration.ofSeconds(1));
    }

    /** Limits to one reading a minute what seldom changes while the process runs, and takes many files or much code to read. */
    private static ContextSource eachMinute(ContextSource source) {
        return new ThrottledSource(source, Duration.ofMinutes(1));
    }

    private static double lag(Components components) {
        return components
                .observation()
                .registry()
                .get(Meters.LOOP_LAG.meter())
                .gauge()
                .value();
    }

    /**
     * Returns the baseline of the configuration; null for none.
     *
     * @throws IllegalStateException when the baseline can't be read
     */
    static @Nullable Baseline baseline(Components components) {
        String file = components.config().config().admin().baselineFile();
        try {
            return file == null
                    ? null
                    : Baseline.parse(Files.readString(components.config().base().resolve(file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("admin.baseline-file: " + file + ": " + e.getMessage(), e);
        }
    }

    private static boolean speaksTls(GatewayConfig config) {
        return config.listeners().stream().anyMatch(listener -> listener.tls() != null)
                || config.upstreams().stream().anyMatch(upstream -> upstream.tls() != null);
    }

    private static ProcessContext.Needs needs(Components components) {
        GatewayConfig config = components.config().config();
        List<Integer> pools = config.upstreams().stream()
                .map(UpstreamConfig::pool)
                .map(UpstreamSettings.Pool::maxConnections)
                .toList();
        int all = pools.stream().mapToInt(Integer::intValue).sum();
        int largest = pools.stream().mapToInt(Integer::intValue).max().orElse(0);
        int clients = config.limits().connections();
        return new ProcessContext.Needs(
                clients + all, clients, components.serving().shares().connections(config), largest);
    }

    private static Map<String, Upstream.Traffic> traffic(Components components) {
        return components.serving().snapshot().get().upstreams().all().stream()
                .collect(Collectors.toMap(Upstream::name, Upstream::traffic, (one, other) -> one, TreeMap::new));
    }

    private static LedgerLatency.Spends spends(Components components) {
        StripedHistogram checks = components.observation().spends().checks();
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

    private static double exchanges(Components components) {
        return components.observation().registry().find(Meters.EXCHANGES.meter()).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
