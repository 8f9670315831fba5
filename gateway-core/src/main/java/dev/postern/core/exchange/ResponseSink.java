package dev.postern.core.exchange;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;

/**
 * Where the response of one exchange goes; the protocol behind it writes it in arrival order.
 *
 * <p>Calls come in the order {@code interim* head data* trailers? end}, on the event loop of the exchange, and are ignored once the exchange has
 * ended. Nothing is sent before {@link #flush}.
 */
public interface ResponseSink {

    /** A 1xx response; the head may be used again after the call. */
    void interim(ResponseHead head);

    /** The final head; it may be used again after the call. Its length says how the body is framed. */
    void head(ResponseHead head);

    /** Bytes of the body; takes over the buffer. */
    void data(ByteBuf data);

    /** Fields for behind the body, before {@link #end}; they may be used again after the call. Dropped where they can't be sent. */
    default void trailers(Trailers trailers) {}

    /** The response is complete; the exchange ends when its last byte was handed to the connection. */
    void end();

    /** The response can't be completed: the connection ends without a proper end of the body. */
    void cut();

    /** Refuses in place of what was written, when nothing of it was sent yet; false when it was. */
    default boolean replace(Refusal refusal) {
        return false;
    }

    /** Sends what was written. */
    void flush();

    /** Whether more may be written without piling up. */
    boolean writable();

    /** Tells once and again when {@link #writable} became true; one listener per exchange. */
    void onWritable(Runnable listener);

    /** The connection becomes a tunnel after the head that was written: bytes go to and from {@code peer} unframed. */
    void tunnel(TunnelHandler peer);
}
