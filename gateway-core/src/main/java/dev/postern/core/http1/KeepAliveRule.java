package dev.postern.core.http1;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.transport.loop.DrainState;

/**
 * Rule for whether a connection of HTTP/1 ends with a response (RFC 9112 section 9.3): the client or the gateway wants it, or the bytes behind
 * the request cannot be read as the next one. Confined to the event loop of its connection.
 */
final class KeepAliveRule {

    private final Http1RequestDecoder decoder;
    private final DrainState state;

    /** @param state of the listener or process: a drain ends connections */
    KeepAliveRule(Http1RequestDecoder decoder, DrainState state) {
        this.decoder = decoder;
        this.state = state;
    }

    /**
     * Returns whether the connection ends with the response of the last exchange on it.
     *
     * @param inputEnded whether the client has closed its output
     */
    boolean closesAfter(Exchange exchange, boolean inputEnded) {
        RequestHead request = exchange.request();
        // Bytes behind a refused CONNECT may belong to a tunnel or to a request.
        boolean doubtful = request.method().equals(Method.CONNECT) && decoder.holds();
        return !request.keepAlive()
                || exchange.fault() != null
                || doubtful
                || decoder.unusableAfter(request, exchange.body())
                || (inputEnded && !decoder.holds())
                || state.requested();
    }
}
