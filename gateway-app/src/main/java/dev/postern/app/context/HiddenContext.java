package dev.postern.app.context;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report of the hidden context: what all sources find, judged. Thread-safe; never on an event loop. */
public final class HiddenContext {

    private final List<ContextSource> sources;
    private final @Nullable Baseline baseline;

    /**
     * @param sources in reading order
     * @param baseline of a run that was good; null for none, then our recommendations alone judge
     */
    public HiddenContext(List<ContextSource> sources, @Nullable Baseline baseline) {
        this.sources = List.copyOf(sources);
        this.baseline = baseline;
    }

    /** The report of now. */
    public synchronized List<ContextItem> report() {
        List<ContextItem> items =
                sources.stream().flatMap(source -> source.items().stream()).toList();
        return baseline == null ? items : baseline.compare(items);
    }
}
