package dev.postern.core.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/** One end of a tunnel, whatever carries it: bytes in and bytes out, each direction ended by itself. Event loop only. */
public interface TunnelPeer {

    /** What comes goes to that taker from now on; may call it before it returns. At most once. */
    void begin(Taker taker);

    /** Takes over the buffer; nothing is sent before {@link #flush}. */
    void write(ByteBuf data);

    void flush();

    /** Whether more may be written without piling up. */
    boolean writable();

    /** Nothing more is to come for now. */
    void pause();

    void resume();

    /** Nothing more will be written. */
    void finish();

    /** There is no tunnel any more; what was written still goes where that is possible. */
    void close();

    EventLoop loop();

    /** Who takes what comes. */
    interface Taker {

        /** Takes over the buffer. */
        void data(ByteBuf data);

        /** All that came in one go was told. */
        void readComplete();

        /** More may be written again. */
        void writable();

        /** Nothing more will come. */
        void finished();

        /** This end is gone. */
        void gone();
    }
}
