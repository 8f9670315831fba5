package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** What an upstream responds, as it comes: {@code interim* head content* trailers? complete}, or {@code failed} instead of the rest. Event loop only. */
public interface UpstreamResponseHandler {

    /** A 1xx response; the head is valid during the call. */
    void interim(ResponseHead head);

    /** The final head; valid during the call, and may be changed. */
    void head(ResponseHead head);

    /** Bytes of the body; takes over the buffer. */
    void content(ByteBuf data);

    /** The fields behind the body; valid during the call, and may be changed. */
    default void trailers(Trailers trailers) {}

    /** The response is complete; the connection was given back already. */
    void complete();

    /** All that was received so far was told. */
    void readComplete();

    /** What {@link UpstreamStream#expect} asked for did not come in time. */
    void late();

    /** More of the request's body may be written. */
    void writable();

    /**
     * The upstream agreed to the upgrade that the request asked for: its connection is a tunnel now and nobody's but the listener's.
     *
     * @param head 101; valid during the call, and may be changed
     * @param tunnel not read from until somebody asks for it
     * @param early what came behind the head already; taken over
     */
    default void upgraded(ResponseHead head, Channel tunnel, ByteBuf early) {
        early.release();
        tunnel.close();
        failed(Refusal.UPSTREAM_MALFORMED, false);
    }

    /**
     * The same where the upgrade is a stream's alone: what follows on the wire, both ways, is the tunnel's.
     *
     * @param head 2xx; valid during the call, and may be changed
     */
    default void upgraded(ResponseHead head, UpstreamStream tunnel) {
        tunnel.abort();
        failed(Refusal.UPSTREAM_MALFORMED, false);
    }

    /** The upstream's connection can't carry what the request asks for: nothing of it was sent, and the connection was given back. */
    default void unsupported() {
        failed(Refusal.NOT_IMPLEMENTED, false);
    }

    /** The request's head could be read in two ways: nothing of it was sent, and the connection was given back. */
    default void unsendable() {
        failed(Refusal.INTERNAL, false);
    }

    /**
     * The server says that it did nothing with the request (RFC 9113 section 8.7): it may be sent again, whatever it asks for.
     *
     * @param leaving whether the server took its leave, so that it is nobody's fault
     */
    default void unprocessed(boolean leaving) {
        failed(Refusal.UPSTREAM_CLOSED, false);
    }

    /**
     * The response will never be complete.
     *
     * @param silent whether not a byte of a response had come
     */
    void failed(Refusal refusal, boolean silent);
}
