package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.RequestHead;
import java.util.ArrayDeque;

/** Heads of requests that are over, to be filled again; few where nothing is under way. One event loop. */
final class RequestHeadPool {

    private static final int MAX = 128;
    private static final int MAX_AT_REST = 4;

    private final ArrayDeque<RequestHead> spares = new ArrayDeque<>(MAX_AT_REST);

    RequestHead next() {
        RequestHead spare = spares.poll();
        return spare != null ? spare : new RequestHead();
    }

    /** Nothing is under way: most of them will not be needed soon. */
    void rest() {
        while (spares.size() > MAX_AT_REST) {
            spares.poll();
        }
    }

    /** Takes the head of an exchange that has ended, when it went all the way, so that nobody can still be working with it. */
    void over(Exchange exchange) {
        boolean allTheWay =
                exchange.outcome().refusal() == null && exchange.outcome().forwarded();
        if (allTheWay && spares.size() < MAX) {
            spares.add(exchange.request());
        }
    }
}
