package dev.postern.core.exchange;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;

/**
 * Response sink of one exchange; the codec behind this interface writes responses in arrival order.
 *
 * <p>Calls have the order {@code interim* head data* trailers? end}, on the event loop of the exchange, and are ignored after the end of
 * the exchange. Nothing is sent before {@link #flush}.
 */
public interface ResponseSink {

    /** Writes a 1xx response; the caller may reuse the head after the call. */
    void interim(ResponseHead head);

    /** Writes the final head, whose body length determines the framing; the caller may reuse the head after the call. */
    void head(ResponseHead head);

    /** Writes bytes of the body; takes ownership of the buffer. */
    void data(ByteBuf data);

    /** Writes trailers, before {@link #end}; the caller may reuse them after the call. Dropped where they cannot be sent. */
    default void trailers(Trailers trailers) {}

    /** Completes the response; the exchange ends when the connection has taken the last byte. */
    void end();

    /** Completes the response of a tunnel whose client may go on sending; the exchange ends when the client's side has ended too. */
    default void halfClose() {
        end();
    }

    /** Aborts the response: the connection ends without a regular end of the body. */
    void cut();

    /** Aborts the response because the content of the request is malformed. */
    default void cutMalformed() {
        cut();
    }

    /** Replaces the written response with a refusal if none of its bytes were sent yet; otherwise returns false. */
    default boolean replace(Refusal refusal) {
        return false;
    }

    /** Sends the written bytes. */
    void flush();

    /** Returns whether more may be written without exceeding the buffer. */
    boolean writable();

    /** Returns the number of written bytes that the client has not taken, as far as known. */
    default long unsent() {
        return 0;
    }

    /** Calls the listener whenever {@link #writable} changes to true; one listener per exchange. */
    void onWritable(Runnable listener);

    /** Turns the connection into a tunnel after the written head: bytes go to and from {@code peer} unframed. */
    void tunnel(TunnelHandler peer);
}
