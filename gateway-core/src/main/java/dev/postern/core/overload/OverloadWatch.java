package dev.postern.core.overload;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Overload watch: samples the use of memory and event loops four times a second, in a thread of its own, since an overloaded event loop
 * would sample late. Logs once when load shedding begins and once when load shedding ends. Thread-safe.
 */
public final class OverloadWatch implements AutoCloseable {

    /** Time for which {@link Meters#LOOP_LAG} shows a moment of lag. */
    public static final Duration LAG_REMEMBERED =
            OverloadSettings.SAMPLE.multipliedBy(EventLoopLagMonitor.REMEMBERED + 1L);

    private static final Logger LOG = LoggerFactory.getLogger(OverloadWatch.class);

    private final LoadShedState state;
    private final Map<OverloadResource, Watched> resources = new EnumMap<>(OverloadResource.class);
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-overload", true));

    /**
     * Starts sampling.
     *
     * @param state gets the names of the exhausted resources
     * @param allocator allocator of the buffers
     */
    public OverloadWatch(
            OverloadSettings settings,
            LoadShedState state,
            List<EventLoop> loops,
            ByteBufAllocator allocator,
            MeterRegistry registry) {
        this(settings, state, allocator, new EventLoopLagMonitor(loops), registry);
        long pause = OverloadSettings.SAMPLE.toNanos();
        thread.scheduleWithFixedDelay(this::check, pause, pause, TimeUnit.NANOSECONDS);
    }

    private OverloadWatch(
            OverloadSettings settings,
            LoadShedState state,
            ByteBufAllocator allocator,
            EventLoopLagMonitor lag,
            MeterRegistry registry) {
        this(
                settings,
                state,
                Map.of(
                        OverloadResource.HEAP, new HeapMonitor()::share,
                        OverloadResource.DIRECT_MEMORY, new DirectMemoryMonitor(allocator)::share,
                        OverloadResource.LOOP_LAG, lag::seconds),
                registry);
        Meters.LOOP_LAG.gauge(registry, lag::worst);
    }

    /** @param figures read at each sample */
    OverloadWatch(
            OverloadSettings settings,
            LoadShedState state,
            Map<OverloadResource, DoubleSupplier> figures,
            MeterRegistry registry) {
        this.state = state;
        figures.forEach((resource, figure) -> {
            Watched watched = new Watched(figure, new Hysteresis(settings.of(resource), resource.proof()));
            resources.put(resource, watched);
            Meters.OVERLOAD_FIGURE.gauge(registry, () -> watched.last, resource.label());
            Meters.OVERLOAD_SHEDDING.gauge(registry, () -> watched.shedding ? 1 : 0, resource.label());
        });
    }

    /** Replaces the thresholds, for later samples; what is being shed ends by the new ones. */
    public void settings(OverloadSettings others) {
        resources.forEach((resource, watched) -> watched.rule.threshold(others.of(resource)));
    }

    /** State of one resource at the last sample. */
    private static final class Watched {

        private final DoubleSupplier figure;
        private final Hysteresis rule;
        private volatile double last;
        private volatile boolean shedding;

        Watched(DoubleSupplier figure, Hysteresis rule) {
            this.figure = figure;
            this.rule = rule;
        }
    }

    /** Takes a sample of all resources. */
    void check() {
        try {
            boolean changed = false;
            for (Map.Entry<OverloadResource, Watched> entry : resources.entrySet()) {
                changed |= changed(entry.getKey(), entry.getValue());
            }
            if (changed) {
                state.reason(resources.entrySet().stream()
                        .filter(entry -> entry.getValue().shedding)
                        .map(entry -> entry.getKey().label())
                        .collect(Collectors.joining("+")));
            }
        } catch (RuntimeException e) {
            LOG.error("the load can't be read", e); // the next sample follows: a stopped watch is worse
        }
    }

    private static boolean changed(OverloadResource resource, Watched watched) {
        double figure = watched.figure.getAsDouble();
        double bound = watched.rule.bound();
        watched.last = figure;
        if (!watched.rule.sample(figure)) {
            return false;
        }
        watched.shedding = watched.rule.exceeded();
        if (watched.shedding) {
            LOG.warn("overload: shedding load: {} is {} (shed-above: {})", resource.label(), text(figure), text(bound));
        } else {
            LOG.warn("overload: over: {} is {} (until: {})", resource.label(), text(figure), text(bound));
        }
        return true;
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, "%.3f", figure);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
