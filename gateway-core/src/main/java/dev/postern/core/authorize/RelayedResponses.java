package dev.postern.core.authorize;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Question;
import dev.postern.core.http.Refusal;
import java.util.List;

/** Answers that another proxy relays to its client as they are. */
enum RelayedResponses implements Question {
    /** Every status is relayed. */
    ALL {
        @Override
        LocalReply relayed(LocalReply reply) {
            return reply;
        }
    },
    /** Fields and body are relayed with statuses below 500 only, so that others become 429. */
    BELOW_500 {
        @Override
        LocalReply relayed(LocalReply reply) {
            return reply.status() < SERVER_ERROR ? reply : reply.withStatus(TOO_MANY_REQUESTS);
        }
    };

    private static final int SERVER_ERROR = 500;
    private static final int TOO_MANY_REQUESTS = 429;

    abstract LocalReply relayed(LocalReply reply);

    @Override
    public LocalReply response(LocalReply reply, Exchange exchange) {
        return relayed(refusing(reply, exchange));
    }

    /** Returns the reply, or a refusal in place of one with a status that would let the request pass. */
    static LocalReply refusing(LocalReply reply, Exchange exchange) {
        return reply.status() < LocalReply.LEAST_REFUSAL
                ? LocalReply.of(Refusal.ROUTE_NOT_FOUND, exchange, List.of())
                : reply;
    }
}
