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

    private final ArrayDeque<Place> places = new ArrayDeque<>(2);

    /** Place of one exchange in the queue. */
    static final class Place implements PipelineTurn {

        private final PipeliningQueue queue;
        private final boolean safe;
        private @Nullable Runnable next;
        private boolean gone;

        private Place(PipeliningQueue queue, boolean safe) {
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
        boolean gone() {
            return gone;
        }
    }

    /** Adds an exchange that arrived. */
    Place arrive(boolean safe) {
        Place place = new Place(this, safe);
        places.add(place);
        return place;
    }

    /** Returns whether the exchange may be forwarded now; only the last one in the queue, since later ones may wait for {@link #go}. */
    private boolean takeNow(Place place) {
        place.gone = place == places.peekLast() && place == nextToGo();
        return place.gone;
    }

    /** Runs {@code next} as soon as the exchange at the place may be forwarded. */
    private void whenReached(Place place, Runnable next) {
        place.next = next;
        go();
    }

    /** Marks an exchange that got its response without being forwarded: later exchanges no longer wait for its turn. */
    void skip(Place place) {
        place.next = null;
        place.gone = true;
        go();
    }

    /** Removes the first exchange, whose response is complete. */
    void responded() {
        places.remove();
        go();
    }

    int size() {
        return places.size();
    }

    void clear() {
        places.clear();
    }

    private void go() {
        for (Place place = nextToGo(); place != null; place = nextToGo()) {
            Runnable next = place.next;
            if (next == null) {
                return;
            }
            place.next = null;
            place.gone = true;
            next.run();
        }
    }

    /** Returns the first place not forwarded yet, when its turn has come; else null. */
    private @Nullable Place nextToGo() {
        boolean first = true;
        for (Iterator<Place> all = places.iterator(); all.hasNext(); first = false) {
            Place place = all.next();
            if (!place.gone) {
                return place.safe || first ? place : null;
            }
            if (!place.safe) {
                return null; // an unsafe exchange is under way
            }
        }
        return null;
    }
}
