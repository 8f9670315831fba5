package dev.postern.core.upstream;

import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/** The protocol of one upstream connection, or of one stream of it, which carries one exchange at a time. Event loop only. */
public interface UpstreamStream {

    /** Sends a request head; expects the connection to be idle. A body follows when the head says so. */
    void send(RequestHead head, UpstreamResponseHandler handler);

    /** Bytes of the request's body; takes over the buffer. */
    void body(ByteBuf data);

    /** Fields for behind the request's body, before {@link #bodyEnd}; they may be used again after the call. Dropped where they can't be sent. */
    default void behindBody(Trailers trailers) {}

    /** The request's body is complete. */
    void bodyEnd();

    /** Whether more of the body may be written without piling up. */
    boolean writable();

    /** Somebody else hears of the exchange from now on, which became a tunnel. */
    default void hand(UpstreamResponseHandler next) {
        throw new UnsupportedOperationException("hand (expected: a wire that tells of tunnels)");
    }

    /** No more of the response for now. */
    void pause();

    void resume();

    /**
     * Something must come within that time, else the listener is told {@code late}; each call replaces the one before.
     *
     * @param now of {@link System#nanoTime}, which the caller mostly knows
     */
    void expect(long now, Duration within);

    /** Nothing need come for now. */
    void expectNothing();

    /** Gives up the exchange: the listener hears nothing more, and the connection, or the stream, is closed. */
    void abort();

    /** Closes an idle connection. */
    void close();

    /** Who keeps the connection when no exchange has it. */
    interface Owner {

        /** The exchange is over; the connection may carry another one when {@code reusable}, else it is being closed. */
        void free(boolean reusable);

        /** The server says that it closes the connection when it was unused for so long (RFC 9112 appendix C.2.2). */
        default void keptFor(long seconds) {}

        /** The connection is gone. */
        void gone();
    }
}
