package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.QueuePosition;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;

/**
 * Room status endpoint {@code /.postern/room/NAME}. Returns the queue position for the ticket cookie, once as JSON or repeatedly as an
 * event stream; a request also shows that the client is present. DELETE revokes the place and the pass. Thread-safe.
 */
public final class RoomStatusEndpoint implements InternalEndpoint {

    private static final QueuePosition LAPSED = new QueuePosition("lapsed", 0, 0, 1);

    private final AdmissionContext context;

    public RoomStatusEndpoint(AdmissionContext context) {
        this.context = context;
    }

    @Override
    public void serve(Exchange exchange) {
        String path = exchange.request().path();
        RateLimiter limiter = path.startsWith(WaitingRoomResponse.POLL_PATH)
                ? RateLimiters.of(exchange).ofRoom(path.substring(WaitingRoomResponse.POLL_PATH.length()))
                : null;
        if (limiter == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        RoomKey room = limiter.room(path.substring(WaitingRoomResponse.POLL_PATH.length()));
        byte[] bound = RoomIdentity.bound(exchange, room, limiter.settings());
        Ticket ticket = context.cookies().read(exchange.request(), exchange.clientSecure(), bound);
        boolean stream = wantsStream(exchange);
        if (ticket == null) {
            exchange.reply(stream ? WaitingRoomResponse.event(LAPSED) : WaitingRoomResponse.poll(LAPSED, null));
            return;
        }
        if (exchange.request().method().equals(Method.DELETE)) {
            context.cache().forget(room, ticket.session());
            limiter.store().revoke(room, ticket.session(), exchange.loop());
            exchange.reply(WaitingRoomResponse.poll(LAPSED, null));
            return;
        }
        QueuePoller poller = new QueuePoller(exchange, limiter, room, context, bound, ticket);
        if (stream) {
            new RoomEventStream(exchange, poller, context, limiter.settings().absence()).start();
        } else {
            poller.ask(position -> exchange.reply(WaitingRoomResponse.poll(position, poller.cookie())));
        }
    }

    private static boolean wantsStream(Exchange exchange) {
        String accept = exchange.request().joined(FieldName.ACCEPT);
        return accept != null
                && accept.contains("text/event-stream")
                && exchange.request().method().equals(Method.GET);
    }
}
