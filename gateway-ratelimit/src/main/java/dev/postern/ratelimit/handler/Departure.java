package dev.postern.ratelimit.handler;

import dev.postern.core.exchange.Exchange;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest;
import dev.postern.ratelimit.queue.AdmissionRequest.Intent;
import dev.postern.ratelimit.store.CachedPass;
import dev.postern.ratelimit.store.RoomKey;
import dev.postern.ratelimit.store.RoomStore;
import dev.postern.ratelimit.waiting.Ticket;

/**
 * Departure of a client that asks to end its place or its pass. A client ends a pass only where it could use it: a holder of a copied cookie
 * in a fifth network ends nothing. A place has no networks, so that it ends for each holder of its cookie. Confined to the loop of the exchange.
 */
final class Departure {

    private final Exchange exchange;
    private final RoomStore store;
    private final RoomKey room;
    private final AdmissionContext context;
    private final Ticket ticket;

    Departure(Exchange exchange, RoomStore store, RoomKey room, AdmissionContext context, Ticket ticket) {
        this.exchange = exchange;
        this.store = store;
        this.room = room;
        this.context = context;
        this.ticket = ticket;
    }

    /** Calls the function when it is decided, unless the exchange ends before. */
    void start(Runnable decided) {
        CachedPass known = context.cache().lasting(room, ticket.session(), context.now());
        if (known != null) {
            end(known, decided);
            return;
        }
        // Another node may have admitted the session, also since the cookie was written.
        AdmissionRequest request = AdmissionRequest.of(Intent.RENEW, ticket.session(), ticket.claim());
        long askedAt = context.now();
        store.decide(room, request, exchange.loop(), decision -> {
            context.cache().note(room, ticket.session(), decision, askedAt);
            if (exchange.ended()) {
                return;
            }
            CachedPass pass = context.cache().lasting(room, ticket.session(), context.now());
            if (pass != null) {
                end(pass, decided);
            } else {
                boolean answered = decision.kind() != AdmissionDecision.Kind.UNKNOWN;
                if (answered || RoomIdentity.prefix(exchange) == ticket.home()) {
                    end();
                }
                decided.run();
            }
        });
    }

    private void end(CachedPass pass, Runnable decided) {
        new PassUse(exchange, store, context.extractor())
                .ask(
                        pass,
                        ticket.home(),
                        () -> {
                            end();
                            decided.run();
                        },
                        decided);
    }

    private void end() {
        long roomNow = context.lastSeen(store, room).now();
        context.cache().forget(room, ticket.session(), roomNow, context.now());
        store.revoke(room, ticket.session(), exchange.loop());
    }
}
