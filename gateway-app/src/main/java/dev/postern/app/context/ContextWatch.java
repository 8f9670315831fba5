package dev.postern.app.context;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch over the hidden context, on a thread of its own: reads all sources, logs each drift once, and its end once, and updates
 * {@link Meters#CONTEXT_DRIFT}. Thread-safe.
 */
public final class ContextWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ContextWatch.class);

    /** Interval between two reports. A drift at the start is logged within two intervals. */
    private static final Duration EVERY = Duration.ofSeconds(4);

    private final List<ContextSource> sources;
    private final @Nullable Baseline baseline;
    private final MultiGauge drift;
    private final DriftLog log = new DriftLog();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-context", true));
    private volatile List<ContextItem> last = List.of();

    /**
     * @param sources in reading order
     * @param baseline of a good run; null to compare with our recommendations alone
     */
    public ContextWatch(List<ContextSource> sources, @Nullable Baseline baseline, MeterRegistry registry) {
        this.sources = List.copyOf(sources);
        this.baseline = baseline;
        this.drift = MultiGauge.builder(Meters.CONTEXT_DRIFT.meter())
                .description(Meters.CONTEXT_DRIFT.description())
                .register(registry);
    }

    /** Starts the periodic reports. */
    public void start() {
        thread.scheduleWithFixedDelay(this::tryToLook, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tryToLook() {
        try {
            read();
        } catch (RuntimeException e) {
            LOG.error("the hidden context can't be read", e); // not rethrown: the executor would end the watch silently
        }
    }

    /** Creates a report now, logs its drifts, and returns it. */
    public synchronized List<ContextItem> read() {
        List<ContextItem> current =
                sources.stream().flatMap(source -> source.items().stream()).toList();
        List<ContextItem> items = baseline == null ? current : baseline.compare(current);
        for (ContextItem item : log.fresh(items)) {
            LOG.warn("context: {} is {} (wanted: {}). {}", item.item(), item.found(), item.wanted(), item.advice());
        }
        log.mended(items).forEach(item -> LOG.info("context: {} is {}, as wanted", item.item(), item.found()));
        drift.register(
                items.stream()
                        .filter(item -> !item.wanted().isEmpty())
                        .map(item -> MultiGauge.Row.of(Tags.of("item", item.item()), item.drifted() ? 1 : 0))
                        .toList(),
                true);
        last = items;
        return items;
    }

    /** Returns the last report. */
    public List<ContextItem> last() {
        return last;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** Log of the drifts reported so far, so that each is reported once. Confined to the owner's thread. */
    static final class DriftLog {

        private final Map<String, String> received = new HashMap<>();

        /** Returns drifted items that were not reported yet, and records them as reported. */
        List<ContextItem> fresh(List<ContextItem> items) {
            return items.stream()
                    .filter(ContextItem::drifted)
                    .filter(item -> !what(item).equals(received.put(item.item(), what(item))))
                    .toList();
        }

        /** Returns reported items that are as wanted again. */
        List<ContextItem> mended(List<ContextItem> items) {
            return items.stream()
                    .filter(item -> !item.drifted())
                    .filter(item -> received.remove(item.item()) != null)
                    .toList();
        }

        /**
         * Returns the text that identifies a drift. Numbers of costs and states vary at each report, so only a change of their advice is a new
         * drift.
         */
        private static String what(ContextItem item) {
            return item.kind() == ContextItem.Kind.SETTING ? item.found() : item.advice();
        }
    }
}
