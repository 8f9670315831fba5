package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.queue.RoomRules;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.QueuePosition;
import dev.postern.ratelimit.waiting.RateLimitHeaders;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;

/**
 * One exchange at the door of its room: asks, and does what the response says. On the loop of the exchange only.
 */
final class RoomAdmission {

    private static final int MAX_TRIES = 2;
    private static final FieldName ROOM = FieldName.of("postern-room");
    private static final String LEAVE = "leave";

    private final Exchange exchange;
    private final RateLimiter gate;
    private final RoomKey room;
    private final RoomIdentity party;
    private final AdmissionContext tools;
    private final Runnable onward;
    private final long begin;
    private int tries;

    /** @param onward hands the exchange to the next stage */
    RoomAdmission(Exchange exchange, RateLimiter gate, AdmissionContext tools, Runnable onward) {
        this.exchange = exchange;
        this.gate = gate;
        this.tools = tools;
        this.onward = onward;
        this.room = gate.room(tools.naming().room(gate.limit(), gate.queue(), exchange));
        this.party = RoomIdentity.of(exchange, room, gate.queue(), tools.cookies(), tools.naming());
        this.begin = tools.now();
    }

    void start() {
        if (exchange.ended()) {
            return;
        }
        CachedPass pass = tools.mirror().find(room, party.session(), tools.now());
        Credential credential = exchange.credential();
        // A credential whose window is over needs the room's word that it opened this ticket.
        if (pass != null && (credential == null || credential.acceptable())) {
            gate.countHeld();
            use(pass);
        } else {
            ask();
        }
    }

    private void ask() {
        CachedPass lasting = tools.mirror().lasting(room, party.session(), tools.now());
        Claim claim = lasting == null ? party.ticket().claim() : lasting.claim();
        String key = tools.naming().key(gate.limit(), exchange);
        AdmissionRequest visit =
                new AdmissionRequest(party.intent(), party.session(), key, claim, party.credential(), party.share());
        long askedAt = tools.now();
        gate.store().visit(room, visit, exchange.loop(), decision -> {
            tools.mirror().note(room, party.session(), decision, askedAt);
            gate.count(decision.kind());
            if (!exchange.ended()) {
                act(decision);
            }
        });
    }

    private void act(AdmissionDecision decision) {
        switch (decision.kind()) {
            case BASE -> {
                if (party.intent() == Intent.PAGE || party.intent() == Intent.ENTER && !party.known()) {
                    give(party.ticket().after(decision));
                }
                onward.run();
            }
            case ADMITTED -> admitted(decision);
            case WAITING -> waiting(decision, party.ticket().after(decision));
            case FULL -> refuse(Refusal.ROOM_FULL, decision, "room-full");
            case TAKEN -> refuse(Refusal.RATE_LIMITED, decision, "ticket-taken");
            case LIMITED -> limited(decision);
            case UNKNOWN -> unknown(decision);
        }
    }

    private void admitted(AdmissionDecision decision) {
        Credential credential = exchange.credential();
        if (credential != null && (decision.vouched() || party.session().equals(credential.hex()))) {
            credential.vouch();
        }
        CachedPass pass = tools.mirror().find(room, party.session(), tools.now());
        if (pass != null) {
            use(pass);
        } else if (tries++ < MAX_TRIES) {
            ask(); // it ended while the response was under way
        } else {
            refuse(Refusal.ROOM_UNKNOWN, decision, "pass-ended");
        }
    }

    private void use(CachedPass pass) {
        long now = tools.now();
        Gcra pace = gate.perSession();
        if (pace != null && !pass.paced(pace, now)) {
            long retry = pace.intervalMicros();
            if (!tools.parking().park(exchange.loop(), begin, now, retry, this::start)) {
                refuse(Refusal.RATE_LIMITED, AdmissionDecision.limit(false, retry), "session-rate");
            }
            return;
        }
        renewCookie(pass);
        pass.begin(now);
        exchange.whenUpstreamResponds(this::obey);
        boolean paying = exchange.credential() != null && pass.firstPayment();
        exchange.whenOver(() -> pass.end(tools.now())); // an open tunnel is use
        exchange.whenEnded(ended -> {
            // The first payment of the pass was a token that had been spent: it bought nothing (DESIGN 4.10).
            if (paying && ended.outcome().refusal() == Refusal.TOKEN_REQUIRED) {
                revoke();
            }
        });
        onward.run();
    }

    /** The upstream says when somebody has done what they came for: the place is for the next one. */
    private void obey(ResponseHead head) {
        if (LEAVE.equals(head.value(ROOM))) {
            head.remove(ROOM);
            revoke();
        }
    }

    private void revoke() {
        tools.mirror().forget(room, party.session());
        gate.store().revoke(room, party.session(), exchange.loop());
    }

    private void renewCookie(CachedPass pass) {
        CachedPass.Confirmed said = pass.confirmed();
        Claim held = party.ticket().claim();
        if (held.epoch() != said.epoch()
                || said.end() - held.end() >= room.rules().idle() / 4) {
            Claim claim = new Claim(said.epoch(), 0, held.seen(), said.end(), said.hard());
            give(new Ticket(party.session(), claim, 0));
        }
    }

    private void give(Ticket ticket) {
        for (Field field : party.cookieFields(ticket, exchange, tools.cookies())) {
            exchange.addResponseField(field);
        }
    }

    private void waiting(AdmissionDecision decision, Ticket ticket) {
        exchange.timeline().mark(StageName.ADMIT);
        QueuePosition place = QueuePosition.of(decision, ticket.position());
        String cookie = party.cookie(ticket, exchange, tools.cookies());
        exchange.outcome().refusal(Refusal.WAITING);
        int status = gate.queue().waitingStatus();
        if (cookie == null) {
            exchange.refuse(Refusal.WAITING, WaitingRoomResponse.fields(place, null));
        } else {
            exchange.reply(gate.replies().waiting(status, place, exchange.request(), room.id(), cookie));
        }
    }

    private void limited(AdmissionDecision decision) {
        if (!partOfPage(decision)
                || !tools.parking().park(exchange.loop(), begin, tools.now(), decision.retry(), this::start)) {
            refuse(Refusal.RATE_LIMITED, decision, "no-ticket");
        }
    }

    /** Whether its page was let through on the base rate just now. */
    private boolean partOfPage(AdmissionDecision decision) {
        Claim claim = party.ticket().claim();
        return party.known()
                && claim.ticket() == 0
                && decision.room().now() - claim.seen() < RoomRules.LEASE + SubresourceHold.LONGEST;
    }

    /** The store is away: a pass in use lasts where it is known, what was given in writing still holds, and nobody new gets in. */
    private void unknown(AdmissionDecision decision) {
        CachedPass lasting = tools.mirror().lasting(room, party.session(), tools.now());
        if (lasting != null) {
            use(lasting);
            return;
        }
        AdmissionDecision.Snapshot last = gate.store().known(room);
        Claim claim = party.ticket().claim();
        if (last.epoch() != 0 && claim.epoch() == last.epoch() && claim.end() > last.now()) {
            onward.run();
        } else if (claim.ticket() > 0) {
            long now = last.now() > 0 ? last.now() : tools.now();
            waiting(decision, party.ticket().heard(now));
        } else {
            refuse(Refusal.ROOM_UNKNOWN, decision, "room-unknown");
        }
    }

    private void refuse(Refusal refusal, AdmissionDecision decision, String reason) {
        exchange.timeline().mark(StageName.ADMIT);
        exchange.outcome().reason(reason);
        exchange.refuse(refusal, RateLimitHeaders.of(gate.limit(), decision.retry()));
    }
}
