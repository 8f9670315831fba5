package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.PageNote;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.waiting.QueuePosition;
import dev.postern.ratelimit.waiting.Ticket;
import dev.postern.ratelimit.waiting.TicketBinding;
import dev.postern.ratelimit.waiting.WaitingRoomResponse;
import org.jspecify.annotations.Nullable;

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
        CrossOriginFields.of(exchange, route -> belongs(route, limiter, room)).forEach(exchange::addResponseField);
        TicketBinding binding = RoomIdentity.binding(exchange, room, limiter.settings());
        Ticket ticket = context.cookies().read(exchange.request(), exchange.clientSecure(), binding);
        boolean stream = wantsStream(exchange);
        if (ticket == null) {
            QueuePosition none = withoutTicket(exchange);
            exchange.reply(stream ? WaitingRoomResponse.event(none) : WaitingRoomResponse.poll(none, null));
            return;
        }
        if (exchange.request().method().equals(Method.DELETE)) {
            new Departure(exchange, limiter.store(), room, context, ticket)
                    .start(() -> exchange.reply(WaitingRoomResponse.poll(LAPSED, null)));
            return;
        }
        QueuePoller poller = new QueuePoller(exchange, limiter, room, context, binding, ticket);
        if (stream) {
            new RoomEventStream(exchange, poller, context, limiter.settings().absence()).start();
        } else {
            poller.ask(position -> exchange.reply(WaitingRoomResponse.poll(position, poller.cookie())));
        }
    }

    @Override
    public @Nullable LocalReply page(Exchange exchange, int status, PageNote note) {
        String id = note.renderer().substring(WaitingRoomResponse.POLL_PATH.length());
        @Nullable RateLimiter limiter = RateLimiters.of(exchange).ofRoom(id);
        @Nullable QueuePosition position = QueuePosition.of(note.text());
        return limiter == null || position == null
                ? null
                : limiter.responses().waiting(status, position, exchange, id, null);
    }

    /** Returns the position of a client without a valid ticket: without any ticket cookie, the browser may not keep cookies at all. */
    private QueuePosition withoutTicket(Exchange exchange) {
        return context.cookies().any(exchange.request(), exchange.clientSecure()) ? LAPSED : QueuePosition.NO_COOKIE;
    }

    private boolean belongs(Route route, RateLimiter limiter, RoomKey room) {
        return limiter.rule().name().equals(route.rateLimit())
                && context.extractor()
                        .room(limiter.rule(), limiter.settings(), route)
                        .equals(room.id());
    }

    private static boolean wantsStream(Exchange exchange) {
        String accept = exchange.request().joined(FieldName.ACCEPT);
        return accept != null
                && accept.contains("text/event-stream")
                && exchange.request().method().equals(Method.GET);
    }
}
