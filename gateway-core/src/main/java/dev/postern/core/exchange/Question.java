package dev.postern.core.exchange;

/**
 * Question of another proxy whether it may forward the request of its client. The exchange is about that request; the response goes to the
 * proxy, which passes it on in its own way.
 */
@FunctionalInterface
public interface Question {

    /** Key of the question that an exchange answers; empty for other exchanges. */
    ExchangeKey<Question> KEY = ExchangeKey.of("question");

    /** Returns whether an exchange answers a question. */
    static boolean isAnsweredBy(Exchange exchange) {
        return exchange.get(KEY) != null;
    }

    /**
     * Returns what the proxy gets in place of a local reply to its client. A status below 300 lets the client's request pass, so that only the
     * answer for an authorized request has one.
     */
    LocalReply response(LocalReply reply, Exchange exchange);
}
