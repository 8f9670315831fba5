package dev.postern.app.context;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A detector that looks no oftener than it should, and shows what it saw last in between: it believes in what it sees again and again, and who
 * reloads a page must not make again and again of a moment. Confined to who holds it.
 */
public final class ThrottledDetector implements ContextSource {

    private final ContextSource detector;
    private final long pauseNanos;
    private final LongSupplier clock;
    private @Nullable List<ContextItem> last;
    private long lookedAt;

    /** @param pause between two looks, at least */
    public ThrottledDetector(ContextSource detector, Duration pause) {
        this(detector, pause, System::nanoTime);
    }

    /** @param clock instead of {@link System#nanoTime} */
    ThrottledDetector(ContextSource detector, Duration pause, LongSupplier clock) {
        this.detector = detector;
        this.pauseNanos = pause.toNanos();
        this.clock = clock;
    }

    @Override
    public List<ContextItem> items() {
        long now = clock.getAsLong();
        List<ContextItem> items = last;
        if (items == null || now - lookedAt >= pauseNanos) {
            items = detector.items();
            last = items;
            lookedAt = now;
        }
        return items;
    }
}
