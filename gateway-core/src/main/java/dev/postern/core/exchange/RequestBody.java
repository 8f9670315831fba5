package dev.postern.core.exchange;

import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;

/**
 * Request body, unread until a reader is set.
 *
 * <p>Event loop of the exchange only.
 */
public interface RequestBody {

    /** Body of a request without a body. */
    RequestBody EMPTY = new RequestBody() {
        @Override
        public void read(Reader reader) {
            reader.end();
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public boolean untouched() {
            return true;
        }
    };

    /** Starts reading; may call the reader before this method returns. At most once. */
    void read(Reader reader);

    /** Stops reading for now, since the reader's side is full. */
    void pause();

    void resume();

    /** Returns whether the reader has got nothing yet, not even the end, so that the request may still be sent again. */
    boolean untouched();

    /** Returns whether the client may send now, as far as the flow-control windows shared with other requests allow. */
    default boolean sendable() {
        return true;
    }

    /** Reader of the body. */
    interface Reader {

        /** Takes ownership of the buffer. */
        void data(ByteBuf data);

        /** Signals the end of one read of the client, or of what was held: the reader sends on the data that it got before. */
        default void bodyReadComplete() {}

        /** Passes the trailers, before {@link #end}; the reader may change them. */
        default void behind(Trailers trailers) {}

        /** Signals that the body is complete. */
        void end();

        /** Signals that the body will never be complete: the client cancelled, stalled, or sent malformed framing. */
        void broken();
    }
}
