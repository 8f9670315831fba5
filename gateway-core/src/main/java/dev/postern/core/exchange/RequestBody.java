package dev.postern.core.exchange;

import dev.postern.core.http.Trailers;
import io.netty.buffer.ByteBuf;

/**
 * The body of a request, unread until somebody asks for it.
 *
 * <p>Event loop of the exchange only.
 */
public interface RequestBody {

    /** The body of a request that has none. */
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

    /** Starts the flow; may call the reader before it returns. At most once. */
    void read(Reader reader);

    /** No more data for now: the reader's side is full. */
    void pause();

    void resume();

    /** Whether nothing of it was handed to a reader yet, not even its end, so that the request may still be sent again. */
    boolean untouched();

    /** Whether the client may send now, as far as windows tell that it shares with other requests. */
    default boolean sendable() {
        return true;
    }

    /** Who takes the body. */
    interface Reader {

        /** Takes over the buffer. */
        void data(ByteBuf data);

        /** Fields that stood behind the body, before {@link #end}; may be changed. */
        default void behind(Trailers trailers) {}

        /** The body is complete. */
        void end();

        /** The body will never be complete: the client broke it off, stalled, or framed it wrongly. */
        void broken();
    }
}
