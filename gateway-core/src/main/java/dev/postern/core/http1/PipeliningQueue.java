package dev.postern.core.http1;

import dev.postern.core.exchange.PipelineTurn;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one connection in the order in which they arrived, and when each may be forwarded (RFC 9112 section 9.3.2).
 *
 * <p>Safe ones go side by side, but never before one that arrived earlier. An unsafe one goes when all before it are answered, and nothing
 * after it goes until it is answered. Answers leave in this order whatever happens. Plain object; one event loop.
 */
final class PipeliningQueue {

    private final ArrayDeque<Place> places = new ArrayDeque<>(2);

    /** One exchange in the order. */
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

        /** Whether it was forwarded, or answered without. */
        boolean gone() {
            return gone;
        }
    }

    /** A new exchange arrived. */
    Place arrive(boolean safe) {
        Place place = new Place(this, safe);
        places.add(place);
        return place;
    }

    /** Lets the last one that arrived go when its turn has come; behind any other somebody may wait for it to go. */
    private boolean takeNow(Place place) {
        place.gone = place == places.peekLast() && place == nextToGo();
        return place.gone;
    }

    /** Runs {@code next} as soon as the exchange at that place may be forwarded. */
    private void whenReached(Place place, Runnable next) {
        place.next = next;
        go();
    }

    /** The exchange at that place is answered without having been forwarded: nobody need wait for it to go. */
    void skip(Place place) {
        place.next = null;
        place.gone = true;
        go();
    }

    /** The response of the first exchange is complete. */
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

    /** The first place that has not gone, when its turn has come; null when nobody may go. */
    private @Nullable Place nextToGo() {
        boolean first = true;
        for (Iterator<Place> all = places.iterator(); all.hasNext(); first = false) {
            Place place = all.next();
            if (!place.gone) {
                return place.safe || first ? place : null;
            }
            if (!place.safe) {
                return null; // an unsafe one is on its way
            }
        }
        return null;
    }
}
