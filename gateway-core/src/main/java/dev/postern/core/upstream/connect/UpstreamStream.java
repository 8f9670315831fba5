package dev.postern.core.upstream.connect;

import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Stream towards an upstream: an HTTP/1.1 connection or one stream of an HTTP/2 connection. A stream carries one exchange at a time. Event
 * loop only.
 */
public interface UpstreamStream {

    /** Sends a request head; expects the connection to be idle. A body follows when the head says so. */
    void send(RequestHead head, UpstreamResponseHandler handler);

    /** Writes bytes of the request's body; takes over the buffer. Sends nothing before {@link #flush} or {@link #bodyEnd}. */
    void body(ByteBuf data);

    /** Sends the written bytes of the request's body; a connection of HTTP/2 does so itself at the end of the loop's pass. */
    default void flush() {}

    /**
     * Sets the trailers of the request, before {@link #bodyEnd}; the caller may reuse them after the call. Dropped where they can't be
     * sent.
     */
    default void behindBody(Trailers trailers) {}

    /** Ends the request's body. */
    void bodyEnd();

    /** Returns whether more of the body may be written without exceeding the buffer limit. */
    boolean writable();

    /** Replaces the handler of an exchange that became a tunnel. */
    default void hand(UpstreamResponseHandler next) {
        throw new UnsupportedOperationException("hand (expected: a stream that supports tunnels)");
    }

    /** Pauses reading of the response. */
    void pause();

    void resume();

    /**
     * Starts a timeout for the next bytes, after which the handler's {@code late} is called; each call replaces the one before.
     *
     * @param now of the loop's ticker, which the caller mostly knows
     */
    void expect(long now, Duration timeout);

    /** Cancels the timeout. */
    void expectNothing();

    /** Returns whether other exchanges share the connection, which survives when this one is aborted. */
    default boolean shared() {
        return false;
    }

    /**
     * Returns whether the upstream has ended the idle connection, though the event loop has not handled that yet; where the transport can
     * tell, which takes a system call.
     */
    default boolean ended() {
        return false;
    }

    /** Aborts the exchange: the handler gets no further calls, and the connection, or the stream, is closed. */
    void abort();

    /** Closes an idle connection. */
    void close();

    /** Owner of the connection when it has no exchange. */
    interface Owner {

        /** Signals that the exchange is over; the connection may carry another one when {@code reusable}, else it is being closed. */
        void free(boolean reusable);

        /** Receives the idle time in seconds after which the upstream closes the connection (RFC 9112 appendix C.2.2). */
        default void keptFor(long seconds) {}

        /** Signals that the connection is closed. */
        void gone();
    }
}
