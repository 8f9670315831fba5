package dev.postern.ratelimit.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Absent places: those of waiting sessions that were silent for the time of an absence. They block no other session, and are kept in case
 * their sessions return. Each operation costs O(log n).
 */
final class AbsentPlaces {

    private final NetworkPlaces networks;
    private final Map<String, Place> bySession = new HashMap<>();
    /** The session that was silent for the longest time is the first. */
    private final TreeSet<Place> bySilence =
            new TreeSet<>(Comparator.comparingLong(Place::lastRequest).thenComparing(Place::session));

    /** @param networks counts of all places, those of waiting sessions included; a place that is dropped no longer counts */
    AbsentPlaces(NetworkPlaces networks) {
        this.networks = networks;
    }

    /**
     * Place of an absent session.
     *
     * @param lastRequest time of the last request of the session
     * @param network client network that the place counts for, or empty
     */
    record Place(String session, long ticket, long lastRequest, String network) {

        /** Returns the place after a request at the given time, unless there was a later one. */
        Place heard(long instant) {
            return new Place(session, ticket, Math.max(lastRequest, instant), network);
        }
    }

    int size() {
        return bySession.size();
    }

    @Nullable
    Place get(String session) {
        return bySession.get(session);
    }

    /** Adds the place, or replaces that of the session. At the bound, those that were silent for the longest time are removed. */
    void put(Place place, int bound) {
        remove(place.session());
        bySession.put(place.session(), place);
        bySilence.add(place);
        for (int i = 0; i < RoomRules.PURGE && bySession.size() > bound; i++) {
            drop(bySilence.first().session());
        }
    }

    /** Removes the place of a session, which waits again. Returns the place, or null. */
    @Nullable
    Place remove(String session) {
        Place place = bySession.remove(session);
        if (place != null) {
            bySilence.remove(place);
        }
        return place;
    }

    /** Removes the place of a session, which ends. Returns its ticket, 0 if it has none. */
    long drop(String session) {
        Place place = remove(session);
        if (place == null) {
            return 0;
        }
        networks.left(place.network());
        return place.ticket();
    }

    /** Removes places of sessions without a request since the given time. */
    void dropSilentSince(long instant) {
        for (int i = 0; i < RoomRules.PURGE && !bySilence.isEmpty(); i++) {
            Place longest = bySilence.first();
            if (longest.lastRequest() > instant) {
                return;
            }
            drop(longest.session());
        }
    }
}
