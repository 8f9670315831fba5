package dev.postern.app.context;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detector with a minimum interval between observations; in between it returns the last result. Detectors count repeated observations, so
 * that frequent reloads of a page must not count one event several times. Confined to the owner's thread.
 */
public final class ThrottledDetector implements ContextSource {

    private final ContextSource detector;
    private final long pauseNanos;
    private final LongSupplier clock;
    private @Nullable List<ContextItem> last;
    private long lookedAt;

    /** @param pause minimum between two observations */
    public ThrottledDetector(ContextSource detector, Duration pause) {
        this(detector, pause, System::nanoTime);
    }

    /** @param clock in place of {@link System#nanoTime} */
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
