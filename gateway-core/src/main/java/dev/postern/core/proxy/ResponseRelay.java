package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.transport.piece.PieceJoiner;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Relay of an upstream's response to the client: joins the pieces of each read, and pauses the upstream while the client takes none. It is
 * itself the taker of the joined data and the listener for a client that takes data again, which saves two objects per exchange. On the loop
 * of the exchange.
 */
final class ResponseRelay implements Consumer<ByteBuf>, Runnable {

    private final Exchange exchange;
    private final ResponseSink response;
    private final UpstreamStream upstreamStream;
    private final Duration idle;
    private final AttemptActivity activity;
    private final PieceJoiner pieces = new PieceJoiner(this);
    private boolean paused;
    private boolean over;

    /** @param idle between two pieces of the response */
    ResponseRelay(Exchange exchange, UpstreamStream upstreamStream, Duration idle, AttemptActivity activity) {
        this.exchange = exchange;
        this.response = exchange.response();
        this.upstreamStream = upstreamStream;
        this.idle = idle;
        this.activity = activity;
    }

    /** @param now of the loop's ticker */
    void begin(ResponseHead head, long now) {
        upstreamStream.expect(now, idle);
        response.onWritable(this);
        response.head(head);
    }

    /** Takes over a piece of the body. */
    void content(ByteBuf data) {
        if (over) {
            data.release();
        } else {
            pieces.add(data);
        }
    }

    /** Writes joined data. */
    @Override
    public void accept(ByteBuf data) {
        activity.written(data.readableBytes());
        response.data(data);
        if (!paused && !over && !response.writable()) {
            paused = true;
            upstreamStream.pause();
            upstreamStream.expectNothing();
        }
    }

    void trailers(Trailers trailers) {
        if (exchange.request().takesTrailers() && trailers.strip()) {
            response.trailers(trailers);
        }
    }

    /** Signals that the client takes data again. */
    @Override
    public void run() {
        if (paused && !over) {
            paused = false;
            upstreamStream.expect(exchange.now(), idle);
            upstreamStream.resume();
        }
    }

    /** Returns whether the upstream is paused. */
    boolean paused() {
        return paused;
    }

    /** Passes on the pieces of a read. */
    void readComplete() {
        pieces.pass();
        if (over) {
            return;
        }
        response.flush();
        if (exchange.responding()) {
            long now = exchange.now();
            activity.left(response.unsent(), now);
            if (!paused) {
                upstreamStream.expect(now, idle);
            }
        }
    }

    /** Passes on the last pieces; the connection may serve another exchange already, and is not paused any more. */
    void end() {
        over = true;
        pieces.pass();
    }

    /** Drops what is held. */
    void release() {
        over = true;
        pieces.release();
    }
}
