package dev.postern.core.testing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Spans of sessions that were served, each from its first to its last request. Thread-safe. */
public final class SessionSpans {

    private final Map<String, Span> spans = new HashMap<>();

    /** @param first time in nanoseconds; later than {@code last} if the span is not known */
    private record Span(long first, long last) {}

    private record Change(long time, int sessions) {}

    /**
     * Records a request of the session that was served, and that was admitted between these times. A session with one such request has no
     * span.
     *
     * @param sent time in nanoseconds at which the client sent it; that of a later request is not earlier
     * @param responded time in nanoseconds at which the client read the response
     */
    public synchronized void note(String session, long sent, long responded) {
        spans.merge(session, new Span(responded, sent), (old, next) -> new Span(old.first, next.last));
    }

    /** Returns the maximum number of sessions between their first and their last request at any time. */
    public synchronized int peak() {
        List<Change> changes = new ArrayList<>();
        for (Span span : spans.values()) {
            if (span.last >= span.first) {
                changes.add(new Change(span.first, 1));
                changes.add(new Change(span.last, -1));
            }
        }
        changes.sort(Comparator.comparingLong(Change::time)
                .thenComparing(Comparator.comparingInt(Change::sessions).reversed()));
        int current = 0;
        int peak = 0;
        for (Change change : changes) {
            current += change.sessions;
            peak = Math.max(peak, current);
        }
        return peak;
    }
}
