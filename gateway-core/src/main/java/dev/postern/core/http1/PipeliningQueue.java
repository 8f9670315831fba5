package dev.postern.core.http1;

import dev.postern.core.exchange.PipelineTurn;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the exchanges of one connection in arrival order, which decides when each may be forwarded (RFC 9112 section 9.3.2).
 *
 * <p>Safe exchanges are forwarded concurrently, but never before one that arrived earlier. An unsafe exchange is forwarded when all earlier
 * ones have their responses, and later ones wait for its response. Responses are always sent in arrival order. Plain object; one event
 * loop.
 */
final class PipeliningQueue {

    private final ArrayDeque<QueuedExchange> exchanges = new ArrayDeque<>(2);

    /** Entry of one exchange in the queue. */
    static final class QueuedExchange implements PipelineTurn {

        private final PipeliningQueue queue;
        private final boolean safe;
        private @Nullable Runnable next;
        private boolean closed;

        private QueuedExchange(PipeliningQueue queue, boolean safe) {
            this.queue = queue;
            this.safe = safe;
        }

        @Override
        public boolean takeNow() {
            return queue.takeNow(this);
        }

        @Override
        public void whenReached(Runnable following) {
            queue.whenReached(this, following);
        }

        /** Returns whether the exchange was forwarded, or refused without being forwarded. */
        boolean closed() {
            return closed;
        }
    }

    /** Adds an exchange that arrived. */
    QueuedExchange arrive(boolean safe) {
        QueuedExchange entry = new QueuedExchange(this, safe);
        exchanges.add(entry);
        return entry;
    }

    /** Returns whether the exchange may be forwarded now; only the last one in the queue, since later ones may wait for {@link #go}. */
    private boolean takeNow(QueuedExchange entry) {
        entry.closed = entry == exchanges.peekLast() && entry == nextToGo();
        return entry.closed;
    }

    /** Runs {@code next} as soon as the exchange may be forwarded. */
    private void whenReached(QueuedExchange entry, Runnable next) {
        entry.next = next;
        go();
    }

    /** Marks an exchange that got its response without being forwarded: later exchanges no longer wait for its turn. */
    void skip(QueuedExchange entry) {
        entry.next = null;
        entry.closed = true;
        go();
    }

    /** Removes the first exchange, whose response is complete. */
    void responded() {
        exchanges.remove();
        go();
    }

    int size() {
        return exchanges.size();
    }

    void clear() {
        exchanges.clear();
    }

    private void go() {
        for (QueuedExchange entry = nextToGo(); entry != null; entry = nextToGo()) {
            Runnable next = entry.next;
            if (next == null) {
                return;
            }
            entry.next = null;
            entry.closed = true;
            next.run();
        }
    }

    /** Returns the first exchange not forwarded yet, when its turn has come; else null. */
    private @Nullable QueuedExchange nextToGo() {
        boolean first = true;
        for (Iterator<QueuedExchange> all = exchanges.iterator(); all.hasNext(); first = false) {
            QueuedExchange entry = all.next();
            if (!entry.closed) {
                return entry.safe || first ? entry : null;
            }
            if (!entry.safe) {
                return null; // an unsafe exchange is under way
            }
        }
        return null;
    }
}
