package dev.postern.app.context;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hidden context: creates the report of all sources. Thread-safe; never on an event loop. */
public final class HiddenContext {

    private final List<ContextSource> sources;
    private final @Nullable Baseline baseline;

    /**
     * @param sources in reading order
     * @param baseline of a good run; null to compare with our recommendations alone
     */
    public HiddenContext(List<ContextSource> sources, @Nullable Baseline baseline) {
        this.sources = List.copyOf(sources);
        this.baseline = baseline;
    }

    /** Creates a report. */
    public synchronized List<ContextItem> report() {
        List<ContextItem> items =
                sources.stream().flatMap(source -> source.items().stream()).toList();
        return baseline == null ? items : baseline.compare(items);
    }
}
