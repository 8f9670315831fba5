package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Admission;
import dev.postern.core.exchange.Credential;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.exchange.Question;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Field;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.rate.Gcra;
import dev.postern.core.route.Route;
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
import java.util.Objects;

/**
 * Room admission of one exchange: requests a decision and applies it. Confined to the loop of the exchange.
 */
final class RoomAdmission {

    private static final int MAX_TRIES = 2;
    private static final FieldName ROOM = FieldName.of("postern-room");
    private static final String LEAVE = "leave";
    private static final String NETWORKS = "pass-networks";

    private final Exchange exchange;
    private final RateLimiter limiter;
    private final RoomKey room;
    private final RoomIdentity identity;
    private final AdmissionContext context;
    private final Runnable onward;
    private final long begin;
    /** Whether the client has a pass that it may not use, because others use it from too many networks. */
    private final boolean stranger;

    private int tries;

    /** @param onward passes the exchange to the next stage */
    RoomAdmission(Exchange exchange, RateLimiter limiter, AdmissionContext context, Runnable onward) {
        this.exchange = exchange;
        this.limiter = limiter;
        this.context = context;
        this.onward = onward;
        this.room = limiter.room(context.extractor().room(limiter.rule(), limiter.settings(), Route.of(exchange)));
        this.identity = RoomIdentity.of(exchange, room, limiter.settings(), context);
        this.begin = context.now();
        this.stranger = false;
    }

    /** Starts again as a client without a ticket. */
    private RoomAdmission(RoomAdmission from) {
        this.exchange = from.exchange;
        this.limiter = from.limiter;
        this.context = from.context;
        this.onward = from.onward;
        this.room = from.room;
        this.identity = from.identity.withoutTicket(from.exchange, from.context);
        this.begin = from.begin;
        this.stranger = true;
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
        } else if (identity.intent() == Intent.RENEW
                && identity.ticket().claim().end() == 0) {
            limiter.count(AdmissionDecision.Kind.LIMITED);
            refuse(RequestPurpose.PREFETCH, 0); // has no pass that could be found in the store
        } else {
            ask();
        }
    }

    private void ask() {
        CachedPass lasting = context.cache().lasting(room, identity.session(), context.now());
        Claim claim = lasting == null ? ticket().claim() : lasting.claim();
        String key = context.extractor().key(limiter.rule(), exchange);
        AdmissionRequest request = new AdmissionRequest(
                        identity.intent(), identity.session(), key, claim, identity.credential(), identity.share())
                .countedFor(identity.network());
        long askedAt = context.now();
        limiter.store().decide(room, request, exchange.loop(), decision -> {
            context.cache().note(room, identity.session(), decision, askedAt);
            context.cache().noteEnd(room, identity.session(), claim, decision, askedAt);
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
            case WAITING, DEFERRED -> waiting(decision, identity.ticket().after(decision));
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
        if (identity.binding() == null) {
            proceed(pass); // the token or the address is the session
            return;
        }
        new PassUse(exchange, limiter.store(), context.extractor())
                .ask(pass, identity.ticket().home(), () -> proceed(pass), () -> new RoomAdmission(this).start());
    }

    private void proceed(CachedPass pass) {
        long now = context.now();
        if (!pass.lasts(now)) {
            ask(); // the pass ended while the store was asked for the network
            return;
        }
        Gcra pace = limiter.perSession();
        if (pace != null && !pass.paced(pace, now)) {
            long retry = pace.intervalMicros();
            if (!context.hold().hold(exchange.loop(), begin, now, retry, this::start)) {
                refuse(Refusal.RATE_LIMITED, AdmissionDecision.limit(false, retry), RateLimiter.SESSION_RATE);
            }
            return;
        }
        renewCookie(pass);
        pass.begin(now);
        Admission.passed(exchange);
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
        context.cache().forget(room, identity.session(), last().now(), context.now());
        limiter.store().revoke(room, identity.session(), exchange.loop());
    }

    private void renewCookie(CachedPass pass) {
        CachedPass.Confirmed confirmed = pass.confirmed();
        Claim held = identity.ticket().claim();
        if (held.epoch() != confirmed.epoch()
                || confirmed.end() - held.end() >= room.rules().idle() / 4) {
            Claim claim = new Claim(confirmed.epoch(), 0, held.seen(), confirmed.end(), confirmed.hard());
            give(identity.ticket().holding(claim));
        }
    }

    private void give(Ticket ticket) {
        for (Field field : identity.cookieFields(ticket, exchange, context)) {
            exchange.addResponseField(field);
        }
    }

    private void waiting(AdmissionDecision decision, Ticket ticket) {
        exchange.timeline().mark(StageName.ADMIT);
        QueuePosition position = QueuePosition.of(decision, ticket.position());
        String cookie = identity.cookie(ticket, exchange, context);
        exchange.outcome().refusal(Refusal.WAITING);
        if (stranger) {
            exchange.outcome().reason(NETWORKS);
        }
        int status = limiter.settings().waitingStatus();
        if (cookie == null) {
            exchange.refuse(Refusal.WAITING, WaitingRoomResponse.fields(position, null));
        } else {
            note(position);
            exchange.reply(limiter.responses().waiting(status, position, exchange, room.id(), cookie));
        }
    }

    /** Replies with a page that leads out of the frame of another site. */
    private void withoutPlace() {
        exchange.timeline().mark(StageName.ADMIT);
        exchange.outcome().reason("framed");
        exchange.outcome().refusal(Refusal.NO_PLACE);
        int status = limiter.settings().waitingStatus();
        note(QueuePosition.NO_COOKIE);
        exchange.reply(limiter.responses().waiting(status, QueuePosition.NO_COOKIE, exchange, room.id(), null));
    }

    /** Notes what the waiting page shows, for another proxy that gets the page later. */
    private void note(QueuePosition position) {
        if (Question.isAnsweredBy(exchange)) {
            exchange.put(PageNote.KEY, new PageNote(WaitingRoomResponse.POLL_PATH + room.id(), position.note()));
        }
    }

    private void limited(AdmissionDecision decision) {
        RequestPurpose purpose = RequestPurpose.of(exchange.request());
        if (purpose != RequestPurpose.USE) {
            refuse(purpose, decision.retry());
        } else if (!identity.known() && TicketEligibility.framedElsewhere(exchange.request())) {
            withoutPlace();
        } else if (!partOfPage(decision)
                || !context.hold().hold(exchange.loop(), begin, context.now(), decision.retry(), this::start)) {
            refuse(Refusal.RATE_LIMITED, decision, identity.crowded(exchange, context) ? "many-rooms" : "no-ticket");
        }
    }

    /** Returns whether the request may belong to a page that recently passed within the base rate. */
    private boolean partOfPage(AdmissionDecision decision) {
        Claim claim = identity.ticket().claim();
        return identity.known()
                && claim.ticket() == 0
                && decision.room().now() - claim.seen() < RoomRules.LEASE + SubresourceHold.LONGEST;
    }

    /** Decides without the store: passes and places last, new sessions are refused. */
    private void unknown(AdmissionDecision decision) {
        long now = context.now();
        String session = identity.session();
        CachedPass lasting = context.cache().lasting(room, session, now);
        Ticket ticket = ticket();
        boolean ended = context.cache().hasEnded(room, session, ticket.claim(), now);
        AdmissionDecision.Snapshot last = last();
        OutageRule rule = new OutageRule(room.rules().keep());
        switch (rule.verdict(new OutageRule.Known(lasting != null, ended, ticket.claim()), last)) {
            case USE_PASS -> use(Objects.requireNonNull(lasting));
            case TAKE_PASS -> use(context.cache().take(room, session, ticket.claim(), last.now(), now));
            case KEEP_PLACE -> waiting(decision, ticket.seenAt(last.now()));
            case REFUSE -> refuse(Refusal.ROOM_UNKNOWN, decision, "room-unknown");
        }
    }

    /** Refuses a request that gets no place, so that the browser asks again when the page is really wanted. */
    private void refuse(RequestPurpose purpose, long retry) {
        exchange.timeline().mark(StageName.ADMIT);
        exchange.outcome().reason(purpose.label());
        exchange.refuse(Refusal.NO_PLACE, WaitingRoomResponse.withoutPlace(limiter.rule(), retry));
    }

    /** Returns the state of the room as last seen; with the time of this node if the node has not seen the room. */
    private AdmissionDecision.Snapshot last() {
        return context.lastSeen(limiter.store(), room);
    }

    /** Returns the ticket of the session, with its place if the room may still keep it. */
    private Ticket ticket() {
        return identity.ticket().heardSince(last().now() - room.rules().keep());
    }

    private void refuse(Refusal refusal, AdmissionDecision decision, String reason) {
        exchange.timeline().mark(StageName.ADMIT);
        exchange.outcome().reason(stranger ? NETWORKS : reason);
        exchange.refuse(refusal, RateLimitHeaders.of(limiter.rule(), decision.retry()));
    }
}
