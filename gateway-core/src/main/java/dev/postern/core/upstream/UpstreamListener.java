package dev.postern.core.upstream;

import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.refusal.Refusal;
import io.netty.buffer.ByteBuf;

/** What an upstream answers, as it comes: {@code interim* head content* complete}, or {@code failed} instead of the rest. Event loop only. */
public interface UpstreamListener {

    /** A 1xx answer; the head is valid during the call. */
    void interim(ResponseHead head);

    /** The final head; valid during the call, and may be changed. */
    void head(ResponseHead head);

    /** Bytes of the body; takes over the buffer. */
    void content(ByteBuf data);

    /** The answer is complete; the connection was given back already. */
    void complete();

    /** All that was received so far was told. */
    void readComplete();

    /** What {@link Wire#expect} asked for did not come in time. */
    void late();

    /** More of the request's body may be written. */
    void writable();

    /**
     * The answer will never be complete.
     *
     * @param silent whether not a byte of an answer had come
     */
    void failed(Refusal why, boolean silent);
}
