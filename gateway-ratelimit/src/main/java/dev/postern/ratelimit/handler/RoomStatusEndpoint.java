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
 * {@code /.postern/room/NAME}: tells one who waits the place, by the ticket cookie, and takes the question as a sign of life: once as
 * JSON, or again and again as a stream of events. With DELETE one leaves, and gives up place and pass. Thread-safe.
 */
public final class RoomStatusEndpoint implements InternalEndpoint {

    private static final QueuePosition LAPSED = new QueuePosition("lapsed", 0, 0, 1);

    private final AdmissionContext tools;

    public RoomStatusEndpoint(AdmissionContext tools) {
        this.tools = tools;
    }

    @Override
    public void serve(Exchange exchange) {
        String path = exchange.request().path();
        RateLimiter gate = path.startsWith(WaitingRoomResponse.POLL_PATH)
                ? RateLimiters.of(exchange).ofRoom(path.substring(WaitingRoomResponse.POLL_PATH.length()))
                : null;
        if (gate == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        RoomKey room = gate.room(path.substring(WaitingRoomResponse.POLL_PATH.length()));
        byte[] bound = RoomIdentity.bound(exchange, room, gate.queue());
        Ticket ticket =
                tools.cookies().read(exchange.request(), exchange.client().secure(), bound);
        boolean stream = wantsStream(exchange);
        if (ticket == null) {
            exchange.reply(stream ? WaitingRoomResponse.event(LAPSED) : WaitingRoomResponse.poll(LAPSED, null));
            return;
        }
        if (exchange.request().method().equals(Method.DELETE)) {
            tools.mirror().forget(room, ticket.session());
            gate.store().revoke(room, ticket.session(), exchange.loop());
            exchange.reply(WaitingRoomResponse.poll(LAPSED, null));
            return;
        }
        QueuePoller waiter = new QueuePoller(exchange, gate, room, tools, bound, ticket);
        if (stream) {
            new RoomEventStream(exchange, waiter, tools, gate.queue().times().absence()).start();
        } else {
            waiter.ask(place -> exchange.reply(WaitingRoomResponse.poll(place, waiter.cookie())));
        }
    }

    private static boolean wantsStream(Exchange exchange) {
        String accept = exchange.request().joined(FieldName.ACCEPT);
        return accept != null
                && accept.contains("text/event-stream")
                && exchange.request().method().equals(Method.GET);
    }
}
