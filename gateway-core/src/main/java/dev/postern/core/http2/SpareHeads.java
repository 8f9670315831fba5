package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.RequestHead;
import java.util.ArrayDeque;

/** Heads of requests that are over, to be filled again; as few as an ordinary page needs. One event loop. */
final class SpareHeads {

    private static final int MOST = 8;

    private final ArrayDeque<RequestHead> spares = new ArrayDeque<>(MOST);

    RequestHead next() {
        RequestHead spare = spares.poll();
        return spare != null ? spare : new RequestHead();
    }

    /** Takes the head of an exchange that has ended, when it went all the way, so that nobody can still be working with it. */
    void over(Exchange exchange) {
        boolean allTheWay =
                exchange.outcome().refusal() == null && exchange.outcome().forwarded();
        if (allTheWay && spares.size() < MOST) {
            spares.add(exchange.request());
        }
    }
}
