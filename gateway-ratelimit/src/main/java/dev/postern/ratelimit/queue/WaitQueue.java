package dev.postern.ratelimit.queue;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Queue of the waiting sessions, in the order of tickets and in the order of their last requests. A session that is silent for the time of
 * an absence leaves the queue, but its place is kept for a while: if it returns, it is back in the order of its ticket.
 */
final class WaitQueue {

    private final RankedTicketIndex tickets = new RankedTicketIndex();
    /** Rows in the order of last requests, oldest first: {@code get} moves a row to the end. */
    private final Map<String, Row> rows = new LinkedHashMap<>(16, 0.75f, true);

    private final NetworkPlaces networks = new NetworkPlaces();
    private final AbsentPlaces absent = new AbsentPlaces(networks);

    /** Returns the number of waiting sessions, without absent ones. */
    int size() {
        return rows.size();
    }

    /** Returns the number of absent sessions whose places are kept. */
    int absentSize() {
        return absent.size();
    }

    /** Returns the number of places of a client network, those of absent sessions included. */
    int places(String network) {
        return networks.of(network);
    }

    /**
     * Adds the place of a session. Returns its ticket: the given one, or the next one that no waiting session has.
     *
     * @param network client network that the place counts for, or empty
     */
    long add(String session, long ticket, String network, long now) {
        networks.taken(network);
        return enqueue(session, ticket, network, now);
    }

    private long enqueue(String session, long ticket, String network, long now) {
        long free = ticket;
        while (tickets.has(free)) {
            free++;
        }
        tickets.add(free);
        rows.put(session, new Row(free, network, now));
        return free;
    }

    /** Adds the place of an absent session, which has none. */
    void addAbsent(AbsentPlaces.Place place, int bound) {
        networks.taken(place.network());
        absent.put(place, bound);
    }

    /** Records an earlier request of an absent session, which stays absent. Returns its ticket, 0 if the session is not absent. */
    long renewAbsent(String session, long lastRequest, int bound) {
        AbsentPlaces.Place place = absent.get(session);
        if (place == null) {
            return 0;
        }
        absent.put(place.heard(lastRequest), bound);
        return place.ticket();
    }

    /** Records a request of a session: one that was absent waits again. Returns its ticket, 0 if the session has no place. */
    long touch(String session, long now) {
        Row row = rows.get(session);
        if (row != null) {
            row.lastRequest = now;
            return row.ticket;
        }
        AbsentPlaces.Place place = absent.remove(session);
        return place == null ? 0 : enqueue(session, place.ticket(), place.network(), now);
    }

    /** Returns whether the session has a place, and is not absent. */
    boolean waits(String session) {
        return rows.containsKey(session);
    }

    /** Returns the number of waiting sessions before a ticket. */
    int rank(long ticket) {
        return tickets.size() == 0 ? 0 : tickets.rank(ticket);
    }

    /** Removes a session. Returns its ticket, 0 if the session has no place. */
    long remove(String session) {
        Row row = rows.remove(session);
        if (row == null) {
            return absent.drop(session);
        }
        tickets.remove(row.ticket);
        networks.left(row.network);
        return row.ticket;
    }

    /**
     * Makes sessions without a request for the time of an absence absent, and drops places that were kept for long enough.
     *
     * @param instant time up to which silence counts
     */
    void dropSilent(long instant, RoomRules rules) {
        Iterator<Map.Entry<String, Row>> eldest = rows.entrySet().iterator();
        for (int i = 0; i < RoomRules.PURGE && eldest.hasNext(); i++) {
            Map.Entry<String, Row> entry = eldest.next();
            Row row = entry.getValue();
            if (row.lastRequest > instant - rules.absence()) {
                break;
            }
            eldest.remove();
            tickets.remove(row.ticket);
            absent.put(
                    new AbsentPlaces.Place(entry.getKey(), row.ticket, row.lastRequest, row.network),
                    rules.maxWaiting());
        }
        absent.dropSilentSince(instant - rules.keep());
    }

    private static final class Row {

        private final long ticket;
        private final String network;
        private long lastRequest;

        Row(long ticket, String network, long lastRequest) {
            this.ticket = ticket;
            this.network = network;
            this.lastRequest = lastRequest;
        }
    }
}
