package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.TenantShare;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of one room whose sessions sent requests to this node: those with requests that the room knows, and those with later requests to
 * which the room did not respond. Times are microseconds of this node's clock. Thread-safe.
 */
final class RoomTickets {

    /** Tickets that the room knows, in the order of their last requests. */
    private final Map<String, Held> received = new LinkedHashMap<>();
    /** Tickets with unreported requests, in the order of the first unreported request. */
    private final Map<String, Held> unreported = new LinkedHashMap<>();

    /**
     * Held ticket.
     *
     * @param claim epoch and ticket
     * @param since time of the first request that the room doesn't know
     * @param heard time of the last request
     */
    private record Held(Claim claim, String credential, TenantShare share, long since, long heard) {}

    /** Records the decision for a request that was sent at {@code askedAt}. */
    synchronized void note(AdmissionRequest request, AdmissionDecision decision, long askedAt) {
        Held before = find(request.session());
        switch (decision.kind()) {
            case WAITING -> waits(request, decision, before, askedAt);
            case UNKNOWN -> unanswered(request, before, askedAt);
            default -> remove(request.session());
        }
    }

    private void waits(AdmissionRequest request, AdmissionDecision decision, @Nullable Held before, long askedAt) {
        if (before != null && before.heard > askedAt) {
            return; // there was a later request
        }
        Claim claim = new Claim(decision.room().epoch(), decision.ticket(), 0, 0, 0);
        remove(request.session());
        long heard = heard(request, before, askedAt);
        received.put(request.session(), held(claim, request, before, heard, heard));
    }

    private void unanswered(AdmissionRequest request, @Nullable Held before, long askedAt) {
        Claim claim = before == null ? request.claim() : before.claim;
        if (claim.ticket() > 0 && request.intent() != Intent.KEEP) {
            Held earlier = unreported.get(request.session());
            received.remove(request.session());
            unreported.put(
                    request.session(),
                    held(claim, request, before, earlier == null ? askedAt : earlier.since, askedAt));
        }
    }

    /** Returns the time of the last request of the session. KEEP is sent by this node and is no request of the session. */
    private static long heard(AdmissionRequest request, @Nullable Held before, long askedAt) {
        return request.intent() == Intent.KEEP && before != null ? before.heard : askedAt;
    }

    private static Held held(Claim claim, AdmissionRequest request, @Nullable Held before, long start, long heard) {
        String credential = request.credential();
        TenantShare share = request.share();
        if (before != null) {
            credential = credential.isEmpty() ? before.credential : credential;
            share = share.equals(TenantShare.NONE) ? before.share : share;
        }
        return new Held(claim, credential, share, start, heard);
    }

    private @Nullable Held find(String session) {
        Held held = received.get(session);
        return held == null ? unreported.get(session) : held;
    }

    private void remove(String session) {
        received.remove(session);
        unreported.remove(session);
    }

    /** Drops tickets without a request since the given time. Returns the time of the first unreported request, or {@code never}. */
    synchronized long earliestUnreported(long silentSince, long never) {
        Iterator<Held> longestSilent = received.values().iterator();
        while (longestSilent.hasNext() && longestSilent.next().heard <= silentSince) {
            longestSilent.remove();
        }
        unreported.values().removeIf(held -> held.heard <= silentSince);
        return unreported.isEmpty() ? never : unreported.values().iterator().next().since;
    }

    /**
     * Returns the requests that report unreported tickets to the room.
     *
     * @param clock converts times of this node's clock to the room's clock
     */
    synchronized List<AdmissionRequest> unreported(LongUnaryOperator clock) {
        List<AdmissionRequest> visits = new ArrayList<>();
        add(unreported, clock, visits);
        return visits;
    }

    /** Returns the requests that report all tickets to a room that lost its memory. */
    synchronized List<AdmissionRequest> all(LongUnaryOperator clock) {
        List<AdmissionRequest> visits = new ArrayList<>();
        add(unreported, clock, visits);
        add(received, clock, visits);
        return visits;
    }

    private static void add(Map<String, Held> all, LongUnaryOperator clock, List<AdmissionRequest> visits) {
        all.forEach((session, held) -> {
            Claim said = held.claim;
            Claim claim = new Claim(said.epoch(), said.ticket(), clock.applyAsLong(held.heard), 0, 0);
            visits.add(new AdmissionRequest(Intent.KEEP, session, "", claim, held.credential, held.share));
        });
    }
}
