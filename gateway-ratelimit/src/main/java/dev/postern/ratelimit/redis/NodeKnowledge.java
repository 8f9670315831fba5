package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.Micros;
import dev.postern.ratelimit.store.PassCache;
import dev.postern.ratelimit.store.RoomKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/** Node knowledge that may have to be reported to Redis: passes in use, and places in queues. Thread-safe. */
final class NodeKnowledge {

    private final PassCache passes;
    private final InstantSource clock;
    private final Pauses pauses = new Pauses();
    private final Map<String, RoomTickets> tickets = new ConcurrentHashMap<>();
    private volatile Reported reported = new Reported(0, Map.of());

    NodeKnowledge(PassCache passes, InstantSource clock) {
        this.passes = passes;
        this.clock = clock;
    }

    /** @param earlier time of the earliest unreported event, by room */
    private record Reported(long until, Map<String, Long> earlier) {}

    /** Records the decision for a request that was sent at {@code askedAt}. */
    void note(RoomKey room, AdmissionRequest request, AdmissionDecision decision, long askedAt) {
        if (request.intent() == Intent.RENEW) {
            passes.note(room, request.session(), decision, askedAt);
            return;
        }
        RoomTickets held = tickets.get(room.id());
        boolean waits = decision.kind() == AdmissionDecision.Kind.WAITING;
        if (held == null
                && (waits
                        || decision.kind() == AdmissionDecision.Kind.UNKNOWN
                                && request.claim().ticket() > 0)) {
            held = tickets.computeIfAbsent(room.id(), id -> new RoomTickets());
        }
        if (held != null) {
            held.note(request, decision, askedAt);
        }
    }

    /** Forgets the place of a session that was ended: a room that loses its memory must not restore it. */
    void forget(RoomKey room, String session) {
        RoomTickets held = tickets.get(room.id());
        if (held != null) {
            held.forget(session);
        }
    }

    /**
     * Computes up to which time this node can report to each room; drops ended passes and places. A pause of this process is no silence of
     * its clients: for as long as a client may still have been silent since before a pause, this node reports as much earlier.
     */
    void look(Iterable<RoomKey> rooms) {
        long now = Micros.of(clock);
        pauses.look(now);
        Map<String, Long> earlier = new HashMap<>(passes.unreported(now));
        for (RoomKey room : rooms) {
            RoomRules rules = room.rules();
            long paused = pauses.within(Math.max(rules.absence(), rules.idle()));
            RoomTickets held = tickets.get(room.id());
            long earliest = held == null
                    ? now
                    : held.earliestUnreported(now - paused - rules.keep(), mostPlaces(rules), Long.MAX_VALUE);
            earlier.merge(room.id(), Math.min(now - paused, earliest), Math::min);
        }
        reported = new Reported(now, earlier);
    }

    /** Returns the maximum number of places of a room: those in the queue, and as many of absent sessions. */
    private static int mostPlaces(RoomRules rules) {
        return 2 * Math.max(rules.maxWaiting(), rules.active());
    }

    /** Returns the time of this node's clock up to which the room knows everything that this node knows. */
    long reportedUntil(String roomId) {
        Reported now = reported;
        return Math.min(now.until, now.earlier.getOrDefault(roomId, Long.MAX_VALUE));
    }

    /**
     * Returns requests to keep the places of sessions that were present while the room did not respond.
     *
     * @param roomClock converts times of this node's clock to the room's clock
     */
    List<AdmissionRequest> unreported(RoomKey room, LongUnaryOperator roomClock) {
        RoomTickets held = tickets.get(room.id());
        return held == null ? List.of() : held.unreported(roomClock);
    }

    /** Returns the requests with everything that must be reported to a room that lost its memory. */
    List<AdmissionRequest> all(RoomKey room, LongUnaryOperator roomClock) {
        List<AdmissionRequest> requests = new ArrayList<>();
        for (CachedPass pass : passes.lasting(room.id(), Micros.of(clock))) {
            requests.add(AdmissionRequest.of(Intent.RENEW, pass.session(), pass.claim(roomClock)));
        }
        RoomTickets held = tickets.get(room.id());
        if (held != null) {
            requests.addAll(held.all(roomClock));
        }
        return requests;
    }
}
