package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.route.OwnPath;
import dev.postern.ratelimit.queue.Decision;
import dev.postern.ratelimit.queue.Visit;
import dev.postern.ratelimit.queue.Visit.Intent;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.Place;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.WaitingReply;

/**
 * {@code /.postern/room/NAME}: tells a waiting one its place by its ticket cookie, and takes it as a sign of life. Thread-safe.
 */
public final class RoomPoll implements OwnPath {

    private final Gates gates;
    private final Tools tools;

    public RoomPoll(Gates gates, Tools tools) {
        this.gates = gates;
        this.tools = tools;
    }

    @Override
    public void serve(Exchange exchange) {
        String path = exchange.request().path();
        Gate gate = path.startsWith(WaitingReply.POLL_PATH)
                ? gates.ofRoom(path.substring(WaitingReply.POLL_PATH.length()))
                : null;
        if (gate == null) {
            exchange.refuse(Refusal.ROUTE_NOT_FOUND);
            return;
        }
        RoomKey room = gate.room(path.substring(WaitingReply.POLL_PATH.length()));
        byte[] bound = Party.bound(exchange, room, gate.queue());
        Ticket ticket =
                tools.cookies().read(exchange.request(), exchange.client().secure(), bound);
        if (ticket == null) {
            exchange.reply(WaitingReply.poll(new Place("lapsed", 0, 0, 1), null));
            return;
        }
        ask(exchange, gate, room, ticket, bound);
    }

    private void ask(Exchange exchange, Gate gate, RoomKey room, Ticket ticket, byte[] bound) {
        Visit visit = new Visit(Intent.POLL, ticket.session(), "", ticket.claim(), "");
        long askedAt = tools.now();
        gate.store().visit(room, visit, exchange.loop(), decision -> {
            tools.mirror().note(room, ticket.session(), decision, askedAt);
            gate.count(decision.kind());
            if (!exchange.ended()) {
                Ticket next = decision.kind() == Decision.Kind.UNKNOWN
                        ? ticket.heard(clock(gate, room))
                        : ticket.after(decision);
                String cookie = tools.cookies()
                        .write(next, exchange.request(), exchange.client().secure(), bound);
                exchange.reply(WaitingReply.poll(Place.of(decision, next.position()), cookie));
            }
        });
    }

    private long clock(Gate gate, RoomKey room) {
        long known = gate.store().known(room).now();
        return known > 0 ? known : tools.now();
    }
}
