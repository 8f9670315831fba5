package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.OwnPath;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.Place;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.WaitingReply;

/**
 * {@code /.postern/room/NAME}: tells one who waits the place, by the ticket cookie, and takes the question as a sign of life: once as
 * JSON, or again and again as a stream of events. With DELETE one leaves, and gives up place and pass. Thread-safe.
 */
public final class RoomPoll implements OwnPath {

    private static final Place LAPSED = new Place("lapsed", 0, 0, 1);

    private final Tools tools;

    public RoomPoll(Tools tools) {
        this.tools = tools;
    }

    @Override
    public void serve(Exchange exchange) {
        String path = exchange.request().path();
        Gate gate = path.startsWith(WaitingReply.POLL_PATH)
                ? Gates.of(exchange).ofRoom(path.substring(WaitingReply.POLL_PATH.length()))
                : null;
        if (gate == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        RoomKey room = gate.room(path.substring(WaitingReply.POLL_PATH.length()));
        byte[] bound = Party.bound(exchange, room, gate.queue());
        Ticket ticket =
                tools.cookies().read(exchange.request(), exchange.client().secure(), bound);
        boolean stream = wantsStream(exchange);
        if (ticket == null) {
            exchange.reply(stream ? WaitingReply.event(LAPSED) : WaitingReply.poll(LAPSED, null));
            return;
        }
        if (exchange.request().method().equals(Method.DELETE)) {
            tools.mirror().forget(room, ticket.session());
            gate.store().revoke(room, ticket.session(), exchange.loop());
            exchange.reply(WaitingReply.poll(LAPSED, null));
            return;
        }
        Waiter waiter = new Waiter(exchange, gate, room, tools, bound, ticket);
        if (stream) {
            new RoomStream(exchange, waiter, tools, gate.queue().times().absence()).start();
        } else {
            waiter.ask(place -> exchange.reply(WaitingReply.poll(place, waiter.cookie())));
        }
    }

    private static boolean wantsStream(Exchange exchange) {
        String accept = exchange.request().joined(FieldName.ACCEPT);
        return accept != null
                && accept.contains("text/event-stream")
                && exchange.request().method().equals(Method.GET);
    }
}
