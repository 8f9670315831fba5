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
 * Room admission of one exchange: requests a decision and applies it. Confined to the loop of the exchange.
 */
final class RoomAdmission {

    private static final int MAX_TRIES = 2;
    private static final FieldName ROOM = FieldName.of("postern-room");
    private static final String LEAVE = "leave";

    private final Exchange exchange;
    private final RateLimiter limiter;
    private final RoomKey room;
    private final RoomIdentity identity;
    private final AdmissionContext context;
    private final Runnable onward;
    private final long begin;
    private int tries;

    /** @param onward passes the exchange to the next stage */
    RoomAdmission(Exchange exchange, RateLimiter limiter, AdmissionContext context, Runnable onward) {
        this.exchange = exchange;
        this.limiter = limiter;
        this.context = context;
        this.onward = onward;
        this.room = limiter.room(context.extractor().room(limiter.rule(), limiter.settings(), exchange));
        this.identity = RoomIdentity.of(exchange, room, limiter.settings(), context.cookies(), context.extractor());
        this.begin = context.now();
    }

    void start() {
        if (exchange.ended()) {
            return;
        }
        CachedPass pass = context.cache().find(room, identity.session(), context.now());
        Credential credential = exchange.credential();
        // A credential whose window is over needs the room's confirmation that it opened this ticket.
        if (pass != null && (credential == null || credential.acceptable())) {
            limiter.countHeld();
            use(pass);
        } else {
            ask();
        }
    }

    private void ask() {
        CachedPass lasting = context.cache().lasting(room, identity.session(), context.now());
        Claim claim = lasting == null ? identity.ticket().claim() : lasting.claim();
        String key = context.extractor().key(limiter.rule(), exchange);
        AdmissionRequest request = new AdmissionRequest(
                identity.intent(), identity.session(), key, claim, identity.credential(), identity.share());
        long askedAt = context.now();
        limiter.store().decide(room, request, exchange.loop(), decision -> {
            context.cache().note(room, identity.session(), decision, askedAt);
            limiter.count(decision.kind());
            if (!exchange.ended()) {
                act(decision);
            }
        });
    }

    private void act(AdmissionDecision decision) {
        switch (decision.kind()) {
            case BASE -> {
                if (identity.intent() == Intent.PAGE || identity.intent() == Intent.ENTER && !identity.known()) {
                    give(identity.ticket().after(decision));
                }
                onward.run();
            }
            case ADMITTED -> admitted(decision);
            case WAITING -> waiting(decision, identity.ticket().after(decision));
            case FULL -> refuse(Refusal.ROOM_FULL, decision, "room-full");
            case TAKEN -> refuse(Refusal.RATE_LIMITED, decision, "ticket-taken");
            case LIMITED -> limited(decision);
            case UNKNOWN -> unknown(decision);
        }
    }

    private void admitted(AdmissionDecision decision) {
        Credential credential = exchange.credential();
        if (credential != null && (decision.openedTicket() || identity.session().equals(credential.hex()))) {
            credential.markOpenedTicket();
        }
        CachedPass pass = context.cache().find(room, identity.session(), context.now());
        if (pass != null) {
            use(pass);
        } else if (tries++ < MAX_TRIES) {
            ask(); // the pass ended before the response arrived
        } else {
            refuse(Refusal.ROOM_UNKNOWN, decision, "pass-ended");
        }
    }

    private void use(CachedPass pass) {
        long now = context.now();
        Gcra pace = limiter.perSession();
        if (pace != null && !pass.paced(pace, now)) {
            long retry = pace.intervalMicros();
            if (!context.hold().hold(exchange.loop(), begin, now, retry, this::start)) {
                refuse(Refusal.RATE_LIMITED, AdmissionDecision.limit(false, retry), "session-rate");
            }
            return;
        }
        renewCookie(pass);
        pass.begin(now);
        exchange.whenUpstreamResponds(this::obey);
        boolean paying = exchange.credential() != null && pass.firstPayment();
        exchange.whenOver(() -> pass.end(context.now())); // an open tunnel counts as use
        exchange.whenEnded(ended -> {
            // The first token of the pass was refused, for example as already spent, so the pass is revoked.
            if (paying && ended.outcome().refusal() == Refusal.TOKEN_REQUIRED) {
                revoke();
            }
        });
        onward.run();
    }

    /** Revokes the pass if the upstream's response says {@code postern-room: leave}, so that the slot becomes free. */
    private void obey(ResponseHead head) {
        if (LEAVE.equals(head.value(ROOM))) {
            head.remove(ROOM);
            revoke();
        }
    }

    private void revoke() {
        context.cache().forget(room, identity.session());
        limiter.store().revoke(room, identity.session(), exchange.loop());
    }

    private void renewCookie(CachedPass pass) {
        CachedPass.Confirmed confirmed = pass.confirmed();
        Claim held = identity.ticket().claim();
        if (held.epoch() != confirmed.epoch()
                || confirmed.end() - held.end() >= room.rules().idle() / 4) {
            Claim claim = new Claim(confirmed.epoch(), 0, held.seen(), confirmed.end(), confirmed.hard());
            give(new Ticket(identity.session(), claim, 0));
        }
    }

    private void give(Ticket ticket) {
        for (Field field : identity.cookieFields(ticket, exchange, context.cookies())) {
            exchange.addResponseField(field);
        }
    }

    private void waiting(AdmissionDecision decision, Ticket ticket) {
        exchange.timeline().mark(StageName.ADMIT);
        QueuePosition position = QueuePosition.of(decision, ticket.position());
        String cookie = identity.cookie(ticket, exchange, context.cookies());
        exchange.outcome().refusal(Refusal.WAITING);
        int status = limiter.settings().waitingStatus();
        if (cookie == null) {
            exchange.refuse(Refusal.WAITING, WaitingRoomResponse.fields(position, null));
        } else {
            exchange.reply(limiter.responses().waiting(status, position, exchange.request(), room.id(), cookie));
        }
    }

    private void limited(AdmissionDecision decision) {
        if (!partOfPage(decision)
                || !context.hold().hold(exchange.loop(), begin, context.now(), decision.retry(), this::start)) {
            refuse(Refusal.RATE_LIMITED, decision, "no-ticket");
        }
    }

    /** Returns whether the request may belong to a page that recently passed within the base rate. */
    private boolean partOfPage(AdmissionDecision decision) {
        Claim claim = identity.ticket().claim();
        return identity.known()
                && claim.ticket() == 0
                && decision.room().now() - claim.seen() < RoomRules.LEASE + SubresourceHold.LONGEST;
    }

    /** Decides without the store: cached passes and cookies with a pass are accepted, places are kept, new sessions are refused. */
    private void unknown(AdmissionDecision decision) {
        CachedPass lasting = context.cache().lasting(room, identity.session(), context.now());
        if (lasting != null) {
            use(lasting);
            return;
        }
        AdmissionDecision.Snapshot last = limiter.store().known(room);
        Claim claim = identity.ticket().claim();
        if (last.epoch() != 0 && claim.epoch() == last.epoch() && claim.end() > last.now()) {
            onward.run();
        } else if (claim.ticket() > 0) {
            long now = last.now() > 0 ? last.now() : context.now();
            waiting(decision, identity.ticket().seenAt(now));
        } else {
            refuse(Refusal.ROOM_UNKNOWN, decision, "room-unknown");
        }
    }

    private void refuse(Refusal refusal, AdmissionDecision decision, String reason) {
        exchange.timeline().mark(StageName.ADMIT);
        exchange.outcome().reason(reason);
        exchange.refuse(refusal, RateLimitHeaders.of(limiter.rule(), decision.retry()));
    }
}
