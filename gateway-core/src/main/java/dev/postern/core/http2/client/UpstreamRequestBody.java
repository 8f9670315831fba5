package dev.postern.core.http2.client;

import dev.postern.core.http.Trailers;
import dev.postern.core.http2.codec.RequestHeadersWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/** Body of the request of one exchange after the other, on its way to the server within the server's window. Event loop only. */
final class UpstreamRequestBody {

    private final Http2UpstreamConnection connection;
    private final Runnable writable;
    private final RequestBodyQueue queue = new RequestBodyQueue();
    private @Nullable Http2Stream stream;
    private @Nullable Http2Headers trailers;
    private boolean done;

    /** @param writable runs when a client that was paused may send again */
    UpstreamRequestBody(Http2UpstreamConnection connection, Runnable writable) {
        this.connection = connection;
        this.writable = writable;
    }

    /** Begins the body of a new request; a request without a body is complete. */
    void begin(boolean complete) {
        queue.begin();
        stream = null;
        trailers = null;
        done = complete;
    }

    /** Sets the stream that carries the body, or null when it has closed. */
    void stream(@Nullable Http2Stream value) {
        stream = value;
    }

    /** Returns whether all of the request was sent, or the rest of it will not be. */
    boolean done() {
        return done;
    }

    /** Gives up the rest of the body; returns whether there was any. */
    boolean giveUp() {
        boolean rest = !done;
        done = true;
        return rest;
    }

    /** Sends a piece and takes ownership. */
    void send(ByteBuf data) {
        Http2Stream to = stream;
        if (done || to == null) {
            data.release();
            return;
        }
        int counted = queue.add(data.readableBytes());
        connection.writeData(to, data, false).addListener(result -> written(to, counted));
    }

    private void written(Http2Stream of, int counted) {
        if (stream == of && queue.written(counted)) { // else it belongs to an earlier exchange
            writable.run();
        }
    }

    boolean writable() {
        return queue.writable();
    }

    /** Sets the trailers, which {@link #end} sends. */
    void behind(Trailers section) {
        trailers = RequestHeadersWriter.trailers(section);
    }

    /** Sends the end of the body. */
    void end() {
        Http2Stream to = stream;
        if (done || to == null) {
            return;
        }
        done = true;
        if (trailers != null) {
            connection.writeTrailers(to, trailers);
        } else {
            connection.writeData(to, Unpooled.EMPTY_BUFFER, true);
        }
    }

    /** Queue of a request's body that waits for the server's window, as the number of its bytes. Plain object; one event loop. */
    static final class RequestBodyQueue {

        /** Number of bytes from which on the client is paused. */
        private static final int MAX_BYTES = 64 * 1024;

        /** Number of bytes that each piece counts at least: a queue of tiny frames takes more memory than their bytes. */
        private static final int MIN_PIECE = 256;

        private int bytes;
        private boolean paused;

        /** Begins the body of a new request. */
        void begin() {
            bytes = 0;
            paused = false;
        }

        /** Adds a piece of so many bytes; returns how many it counts, for {@link #written}. */
        int add(int length) {
            int counted = Math.max(MIN_PIECE, length);
            bytes += counted;
            return counted;
        }

        /** Removes a written piece; returns whether a client that was paused may send again. */
        boolean written(int counted) {
            bytes -= counted;
            return paused && writable();
        }

        /** Returns whether more may be added; otherwise the client is to be paused. */
        boolean writable() {
            paused = bytes >= MAX_BYTES;
            return !paused;
        }
    }
}
