package dev.postern.core.upstream.connect;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * Handler of an upstream's response as it arrives: {@code interim* head content* trailers? complete}, or {@code failed} instead of the
 * rest. Event loop only.
 */
public interface UpstreamResponseHandler {

    /** Receives a 1xx response; the head is valid during the call. */
    void interim(ResponseHead head);

    /** Receives the final head; valid during the call, and may be changed. */
    void head(ResponseHead head);

    /** Receives bytes of the body; takes over the buffer. */
    void content(ByteBuf data);

    /** Receives the trailers; valid during the call, and may be changed. */
    default void trailers(Trailers trailers) {}

    /** Signals that the response is complete; the connection was returned to the pool already. */
    void complete();

    /** Signals that all received bytes were passed on. */
    void readComplete();

    /** Signals that the timeout of {@link UpstreamStream#expect} is over. */
    void late();

    /** Signals that more of the request's body may be written. */
    void writable();

    /**
     * Signals that the upstream accepted the upgrade: its connection is a tunnel now and belongs to this handler alone.
     *
     * @param head 101; valid during the call, and may be changed
     * @param tunnel not read from until the handler reads
     * @param early bytes received behind the head; taken over
     */
    default void upgraded(ResponseHead head, Channel tunnel, ByteBuf early) {
        early.release();
        tunnel.close();
        failed(Refusal.UPSTREAM_MALFORMED, false);
    }

    /**
     * Signals that the upstream accepted the upgrade of a stream: later data of the stream, in both directions, belongs to the tunnel.
     *
     * @param head 2xx; valid during the call, and may be changed
     */
    default void upgraded(ResponseHead head, UpstreamStream tunnel) {
        tunnel.abort();
        failed(Refusal.UPSTREAM_MALFORMED, false);
    }

    /** Signals that the upstream's connection can't carry the request: nothing of it was sent, and the connection was returned. */
    default void unsupported() {
        failed(Refusal.NOT_IMPLEMENTED, false);
    }

    /** Signals that the request's head could be read in two ways: nothing of it was sent, and the connection was returned. */
    default void unsendable() {
        failed(Refusal.INTERNAL, false);
    }

    /**
     * Signals that the endpoint did not process the request (RFC 9113 section 8.7): any method may be sent again.
     *
     * @param leaving whether the endpoint announced its shutdown, which is not an error
     */
    default void unprocessed(boolean leaving) {
        failed(Refusal.UPSTREAM_CLOSED, false);
    }

    /**
     * Signals that the response will never be complete.
     *
     * @param silent whether no byte of a response was received
     */
    void failed(Refusal refusal, boolean silent);
}
