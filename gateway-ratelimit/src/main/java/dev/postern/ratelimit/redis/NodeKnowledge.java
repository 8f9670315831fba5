package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
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

/** What this node knows of rooms that Redis may have to be told: passes in use, and places in lines. Thread-safe. */
final class NodeKnowledge {

    private final PassCache passes;
    private final InstantSource clock;
    private final Map<String, RoomTickets> tickets = new ConcurrentHashMap<>();
    private volatile Told told = new Told(0, Map.of());

    NodeKnowledge(PassCache passes, InstantSource clock) {
        this.passes = passes;
        this.clock = clock;
    }

    /** @param earlier by room, where something is known of which the room was not told */
    private record Told(long until, Map<String, Long> earlier) {}

    /** Takes note of what a visit asked at that instant was answered. */
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

    /** Looks how far the rooms may be told that this node has nothing more to tell; drops what has ended. */
    void look(Iterable<RoomKey> rooms) {
        long now = Micros.of(clock);
        Map<String, Long> earlier = new HashMap<>(passes.untold(now));
        for (RoomKey room : rooms) {
            RoomTickets held = tickets.get(room.id());
            if (held != null) {
                long earliest = held.earliestUntold(now - room.rules().absence(), Long.MAX_VALUE);
                earlier.merge(room.id(), earliest, Math::min);
            }
        }
        told = new Told(now, earlier);
    }

    /** Up to when, on this node's clock, the room may be told that nothing is known here that it doesn't know. */
    long toldUntil(String roomId) {
        Told now = told;
        return Math.min(now.until, now.earlier.getOrDefault(roomId, Long.MAX_VALUE));
    }

    /**
     * Places whose holders were heard from while the room did not answer.
     *
     * @param roomClock this node's clock to the room's
     */
    List<AdmissionRequest> untold(RoomKey room, LongUnaryOperator roomClock) {
        RoomTickets held = tickets.get(room.id());
        return held == null ? List.of() : held.untold(roomClock);
    }

    /** All that a room must be told that lost its memory. */
    List<AdmissionRequest> all(RoomKey room, LongUnaryOperator roomClock) {
        List<AdmissionRequest> visits = new ArrayList<>();
        for (CachedPass pass : passes.lasting(room.id(), Micros.of(clock))) {
            visits.add(AdmissionRequest.of(Intent.RENEW, pass.session(), pass.claim()));
        }
        RoomTickets held = tickets.get(room.id());
        if (held != null) {
            visits.addAll(held.all(roomClock));
        }
        return visits;
    }
}
