package dev.postern.ratelimit.queue;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queue of the waiting sessions, in the order of tickets and in the order of their last requests. */
final class WaitQueue {

    private final RankedTicketIndex tickets = new RankedTicketIndex();
    /** Rows in the order of last requests, oldest first: {@code get} moves a row to the end. */
    private final Map<String, Row> rows = new LinkedHashMap<>(16, 0.75f, true);

    int size() {
        return rows.size();
    }

    /** Returns the ticket, or the next one that is not in use. */
    long free(long ticket) {
        long free = ticket;
        while (tickets.has(free)) {
            free++;
        }
        return free;
    }

    void add(String session, long ticket, long now) {
        tickets.add(ticket);
        rows.put(session, new Row(ticket, now));
    }

    /** Records a request of a waiting session. Returns its ticket, 0 if the session does not wait. */
    long touch(String session, long now) {
        Row row = rows.get(session);
        if (row == null) {
            return 0;
        }
        row.lastRequest = now;
        return row.ticket;
    }

    int rank(long ticket) {
        return tickets.rank(ticket);
    }

    /** Removes a session. Returns its ticket, 0 if the session did not wait. */
    long remove(String session) {
        Row row = rows.remove(session);
        if (row == null) {
            return 0;
        }
        tickets.remove(row.ticket);
        return row.ticket;
    }

    /** Removes sessions without a request since the given time. */
    void dropSilentSince(long instant) {
        Iterator<Map.Entry<String, Row>> eldest = rows.entrySet().iterator();
        for (int i = 0; i < RoomRules.PURGE && eldest.hasNext(); i++) {
            @Nullable Row row = eldest.next().getValue();
            if (row.lastRequest > instant) {
                return;
            }
            eldest.remove();
            tickets.remove(row.ticket);
        }
    }

    private static final class Row {

        private final long ticket;
        private long lastRequest;

        Row(long ticket, long lastRequest) {
            this.ticket = ticket;
            this.lastRequest = lastRequest;
        }
    }
}
