package dev.postern.core.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/**
 * Tunnel peer: one end of a tunnel, over any protocol. Carries bytes in both directions; each direction ends separately. Event loop only.
 */
public interface TunnelPeer {

    /** Passes received bytes to that taker from now on; may call the taker before this method returns. At most once. */
    void begin(Taker taker);

    /** Writes the buffer and takes ownership of it; sends nothing before {@link #flush}. */
    void write(ByteBuf data);

    void flush();

    /** Returns whether more may be written without exceeding the write buffer. */
    boolean writable();

    /** Stops reading for now. */
    void pause();

    void resume();

    /** Ends the outbound direction: no writes follow. */
    void finish();

    /** Ends the tunnel; bytes already written are still sent where possible. */
    void close();

    /** Ends the tunnel in order: this end gets a complete stream. */
    default void complete() {
        close();
    }

    /** Ends the tunnel because this end sent malformed data. */
    default void reject() {
        close();
    }

    EventLoop loop();

    /** Taker of the received bytes. */
    interface Taker {

        /** Takes ownership of the buffer. */
        void data(ByteBuf data);

        /** Signals the end of one batch of received bytes. */
        void readComplete();

        /** Signals that more may be written again. */
        void writable();

        /** Signals the end of the inbound direction. */
        void finished();

        /** Signals the end of the inbound direction, and that this end takes no more bytes. */
        default void completed() {
            finished();
            gone();
        }

        /** Signals that the gateway stops: a tunnel without data should end soon. */
        default void draining() {}

        /** Signals that this end is closed. */
        void gone();
    }
}
