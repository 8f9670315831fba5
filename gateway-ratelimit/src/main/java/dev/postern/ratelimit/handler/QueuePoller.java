package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.QueuePosition;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.TicketBinding;
import java.util.function.Consumer;

/** Poller for the queue position of a waiting session. A poll also shows that the client is present. Confined to its exchange's loop. */
final class QueuePoller {

    private final Exchange exchange;
    private final RateLimiter limiter;
    private final RoomKey room;
    private final AdmissionContext context;
    private final TicketBinding binding;
    private Ticket ticket;

    /**
     * @param ticket ticket from the request
     * @param binding room and client to which the cookie is bound
     */
    QueuePoller(
            Exchange exchange,
            RateLimiter limiter,
            RoomKey room,
            AdmissionContext context,
            TicketBinding binding,
            Ticket ticket) {
        this.exchange = exchange;
        this.limiter = limiter;
        this.room = room;
        this.context = context;
        this.binding = binding;
        this.ticket = ticket;
    }

    /** Polls the position. Calls the listener on the loop, but not after the end of the exchange. */
    void ask(Consumer<QueuePosition> listener) {
        // A place that the room has not kept is not reported to a room that loses its memory.
        ticket = ticket.heardSince(clock() - room.rules().keep());
        AdmissionRequest request = AdmissionRequest.of(Intent.POLL, ticket.session(), ticket.claim())
                .countedFor(context.extractor().network(exchange));
        long askedAt = context.now();
        limiter.store().decide(room, request, exchange.loop(), decision -> {
            context.cache().note(room, ticket.session(), decision, askedAt);
            context.cache().noteEnd(room, ticket.session(), request.claim(), decision, askedAt);
            limiter.count(decision.kind());
            if (!exchange.ended()) {
                ticket = decision.kind() == AdmissionDecision.Kind.UNKNOWN
                        ? ticket.seenAt(clock())
                        : ticket.after(decision);
                listener.accept(QueuePosition.of(decision, ticket.position()));
            }
        });
    }

    /** Returns whether the limiter of this poller was replaced by another configuration. */
    boolean outdated() {
        return limiter.retired();
    }

    /** Returns the Set-Cookie value with the current ticket. */
    String cookie() {
        return context.cookies().write(ticket, exchange.clientSecure(), binding);
    }

    private long clock() {
        return context.lastSeen(limiter.store(), room).now();
    }
}
