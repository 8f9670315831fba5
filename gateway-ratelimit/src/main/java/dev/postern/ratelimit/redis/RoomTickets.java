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
     * @param lastRequest time of the last request
     */
    private record Held(
            Claim claim, String credential, TenantShare share, String network, long since, long lastRequest) {}

    /** Records the decision for a request that was sent at {@code askedAt}. */
    synchronized void note(AdmissionRequest request, AdmissionDecision decision, long askedAt) {
        Held previous = find(request.session());
        switch (decision.kind()) {
            case WAITING -> waits(request, decision, previous, askedAt);
            case UNKNOWN -> unanswered(request, previous, askedAt);
            default -> remove(request.session());
        }
    }

    private void waits(AdmissionRequest request, AdmissionDecision decision, @Nullable Held previous, long askedAt) {
        if (previous != null && previous.lastRequest > askedAt) {
            return; // there was a later request
        }
        Claim claim = new Claim(decision.room().epoch(), decision.ticket(), 0, 0, 0);
        remove(request.session());
        long lastRequest = lastRequest(request, previous, askedAt);
        received.put(request.session(), held(claim, request, previous, lastRequest, lastRequest));
    }

    private void unanswered(AdmissionRequest request, @Nullable Held previous, long askedAt) {
        Claim claim = previous == null ? request.claim() : previous.claim;
        if (claim.ticket() > 0 && request.intent() != Intent.KEEP) {
            Held earlier = unreported.get(request.session());
            received.remove(request.session());
            unreported.put(
                    request.session(),
                    held(claim, request, previous, earlier == null ? askedAt : earlier.since, askedAt));
        }
    }

    /** Returns the time of the last request of the session. KEEP is sent by this node and is no request of the session. */
    private static long lastRequest(AdmissionRequest request, @Nullable Held previous, long askedAt) {
        return request.intent() == Intent.KEEP && previous != null ? previous.lastRequest : askedAt;
    }

    private static Held held(
            Claim claim, AdmissionRequest request, @Nullable Held previous, long start, long lastRequest) {
        String credential = request.credential();
        TenantShare share = request.share();
        String network = request.network();
        if (previous != null) {
            credential = credential.isEmpty() ? previous.credential : credential;
            share = share.equals(TenantShare.NONE) ? previous.share : share;
            network = network.isEmpty() ? previous.network : network;
        }
        return new Held(claim, credential, share, network, start, lastRequest);
    }

    private @Nullable Held find(String session) {
        Held held = received.get(session);
        return held == null ? unreported.get(session) : held;
    }

    /** Forgets the ticket of a session. */
    synchronized void forget(String session) {
        remove(session);
    }

    private void remove(String session) {
        received.remove(session);
        unreported.remove(session);
    }

    /**
     * Drops tickets without a request since the given time. Returns the time of the first unreported request, or {@code never}.
     *
     * @param most maximum number of tickets that the room knows; beyond it, those that were silent for the longest time are dropped
     */
    synchronized long earliestUnreported(long silentSince, int most, long never) {
        Iterator<Held> longestSilent = received.values().iterator();
        while (longestSilent.hasNext() && (longestSilent.next().lastRequest <= silentSince || received.size() > most)) {
            longestSilent.remove();
        }
        unreported.values().removeIf(held -> held.lastRequest <= silentSince);
        return unreported.isEmpty() ? never : unreported.values().iterator().next().since;
    }

    /**
     * Returns the requests that report unreported tickets to the room.
     *
     * @param clock converts times of this node's clock to the room's clock
     */
    synchronized List<AdmissionRequest> unreported(LongUnaryOperator clock) {
        List<AdmissionRequest> requests = new ArrayList<>();
        add(unreported, clock, requests);
        return requests;
    }

    /** Returns the requests that report all tickets to a room that lost its memory. */
    synchronized List<AdmissionRequest> all(LongUnaryOperator clock) {
        List<AdmissionRequest> requests = new ArrayList<>();
        add(unreported, clock, requests);
        add(received, clock, requests);
        return requests;
    }

    private static void add(Map<String, Held> all, LongUnaryOperator clock, List<AdmissionRequest> requests) {
        all.forEach((session, held) -> {
            Claim original = held.claim;
            Claim claim = new Claim(original.epoch(), original.ticket(), clock.applyAsLong(held.lastRequest), 0, 0);
            requests.add(
                    new AdmissionRequest(Intent.KEEP, session, "", claim, held.credential, held.share, held.network));
        });
    }
}
