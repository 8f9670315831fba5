package dev.postern.core.http1;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Responses of one connection that are not complete, in the order of their requests. Event loop only. */
final class PendingResponses {

    private final ArrayDeque<Http1ResponseWriter> inOrder = new ArrayDeque<>(2);

    boolean isEmpty() {
        return inOrder.isEmpty();
    }

    int size() {
        return inOrder.size();
    }

    void add(Http1ResponseWriter response) {
        inOrder.add(response);
    }

    void removeFirst() {
        inOrder.removeFirst();
    }

    /** Returns the response that may be written. */
    @Nullable
    Http1ResponseWriter first() {
        return inOrder.peekFirst();
    }

    /** Returns whether the exchange arrived last. */
    boolean endsWith(Exchange exchange) {
        Http1ResponseWriter last = inOrder.peekLast();
        return last != null && exchange.equals(last.exchange());
    }

    /** Returns whether the response of the exchange with this body, which only the last can be, has begun. */
    boolean responding(Http1RequestBody body) {
        Http1ResponseWriter last = inOrder.peekLast();
        return last != null && last.begun() && body.equals(last.exchange().body());
    }

    /** Refuses the exchange that arrived last; false without one. */
    boolean refuseLast(Refusal refusal, String reason) {
        Http1ResponseWriter last = inOrder.peekLast();
        if (last == null) {
            return false;
        }
        last.exchange().outcome().reason(reason);
        last.exchange().refuse(refusal);
        return true;
    }

    /** Sends 100 (Continue) when the response that may be written is the one to the request with this body, of which nothing came yet. */
    void bodyAwaited(Http1RequestBody body) {
        Http1ResponseWriter first = inOrder.peekFirst();
        if (first != null && body.equals(first.exchange().body()) && !body.begun()) {
            first.writeContinue();
        }
    }

    /** Ends the exchanges of a closed connection. */
    void cutAll() {
        // All responses before any exchange: the end of one may resume another whose response can't be written either.
        for (Http1ResponseWriter response : inOrder) {
            response.exchange().outcome().markCut();
            response.release();
        }
        for (Http1ResponseWriter response = inOrder.poll(); response != null; response = inOrder.poll()) {
            response.exchange().end();
        }
    }
}
