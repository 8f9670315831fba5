package dev.postern.app.context;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Source with a minimum interval between two readings of another; in between it returns the last result. Detectors count repeated readings, so
 * that frequent reloads of a page must not count one event several times; what only an operator changes needs no reading every few seconds.
 * Confined to the owner's thread.
 */
final class ThrottledSource implements ContextSource {

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
