package dev.postern.core.http2;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.RequestHead;
import java.util.ArrayDeque;

/** Pool of request heads for reuse; keeps few while no stream is open. One event loop. */
final class RequestHeadPool {

    private static final int MAX = 128;
    private static final int MAX_AT_REST = 4;

    private final ArrayDeque<RequestHead> heads = new ArrayDeque<>(MAX_AT_REST);

    RequestHead next() {
        RequestHead head = heads.poll();
        return head != null ? head : new RequestHead();
    }

    /** Shrinks the pool because no stream is open. */
    void rest() {
        while (heads.size() > MAX_AT_REST) {
            heads.poll();
        }
    }

    /**
     * Recycles the head of an ended exchange, if the exchange was forwarded without a refusal: only then is no stage still working with the
     * head.
     */
    void over(Exchange exchange) {
        boolean forwarded =
                exchange.outcome().refusal() == null && exchange.outcome().forwarded();
        if (forwarded && !exchange.request().trimmed() && heads.size() < MAX) {
            heads.add(exchange.request());
        }
    }
}
