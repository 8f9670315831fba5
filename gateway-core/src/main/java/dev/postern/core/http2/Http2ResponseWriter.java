package dev.postern.core.http2;

import dev.postern.core.exchange.AbstractResponseWriter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.StreamTunnelPeer;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http2.codec.RequestHeadersWriter;
import dev.postern.core.http2.codec.ResponseHeadersWriter;
import dev.postern.core.http2.guard.Cancellation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.DefaultChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writer of one exchange's response into its stream. Flow control decides when data is sent; at most 64 KiB wait for it.
 *
 * <p>Holds back the head and the last piece until the next call, so that the end of the stream needs no frame of its own. Event loop only.
 */
final class Http2ResponseWriter extends AbstractResponseWriter {

    /** Bytes queued for a client that does not read them; beyond this the upstream is paused. */
    private static final int MAX_QUEUED = 64 * 1024;

    /** Bytes that each piece in the queue counts at least. */
    private static final int MIN_QUEUED = 256;

    private final Http2ServerConnection connection;
    private final Http2Stream stream;
    private @Nullable Http2RequestBody body;
    private @Nullable Http2Headers pendingHead;
    private @Nullable Http2Headers trailers;
    private @Nullable ByteBuf pendingData;
    private @Nullable Http2Error resetAfter;
    private int queued;
    private long queuedSince;
    private @Nullable StreamTunnelPeer tunnel;
    private Http2ResponseState state = Http2ResponseState.OPEN;
    private boolean full;

    Http2ResponseWriter(Http2ServerConnection connection, Http2Stream stream) {
        this.connection = connection;
        this.stream = stream;
    }

    /** Promise of a buffer or a head that is being written to the socket. */
    private static final class WritePromise extends DefaultChannelPromise {

        private final int bytes;
        private final boolean last;

        WritePromise(Http2ServerConnection connection, int bytes, boolean last) {
            super(connection.channel(), connection.channel().eventLoop());
            this.bytes = bytes;
            this.last = last;
        }
    }

    void exchange(Exchange value, @Nullable Http2RequestBody itsBody) {
        exchange(value);
        body = itsBody;
    }

    Http2Stream stream() {
        return stream;
    }

    /** Returns the request's body, or null when the request has none. */
    @Nullable
    Http2RequestBody body() {
        return body;
    }

    /** Resets the stream with that error after the response, instead of ending it. */
    void resetAfter(Http2Error error) {
        resetAfter = error;
    }

    @Override
    protected void writeInterim(ResponseHead head) {
        connection.writeHead(stream, ResponseHeadersWriter.of(head), false, connection.promise());
        connection.flushSoon();
    }

    @Override
    protected void writeHead(ResponseHead head) {
        pendingHead = ResponseHeadersWriter.of(head);
    }

    @Override
    protected void writeData(ByteBuf data) {
        if (pendingData != null) {
            writePending();
        }
        pendingData = data;
    }

    @Override
    protected boolean holdTrailers(Trailers value) {
        trailers = RequestHeadersWriter.trailers(value);
        return trailers != null;
    }

    @Override
    public void halfClose() {
        if (!finished()) {
            state = Http2ResponseState.HALF_CLOSED;
            writeLast();
        }
    }

    @Override
    protected void writeEnd() {
        state = Http2ResponseState.ENDED;
        writeLast();
    }

    private void writeLast() {
        Http2Error error = resetAfter;
        if (error != null) {
            writePending();
            connection.reset(stream, error);
            finish(true);
        } else if (trailers != null) {
            writePending();
            connection.writeHead(stream, trailers, true, promise(0, true));
        } else if (pendingData != null) {
            ByteBuf data = pendingData;
            pendingData = null;
            if (!writtenWhole(data)) {
                writePending();
                writePiece(data, true);
            }
        } else if (pendingHead != null) {
            Http2Headers head = pendingHead;
            pendingHead = null;
            connection.writeHead(stream, head, true, promise(0, true));
        } else {
            writePiece(Unpooled.EMPTY_BUFFER, true);
        }
        connection.flushSoon();
    }

    /** A half-closed tunnel can be aborted until the client's side has ended too; what is queued then still reaches the client. */
    @Override
    protected boolean cuttable() {
        return super.cuttable() || (state.halfClosed() && !clientEnded());
    }

    private boolean clientEnded() {
        return body == null || body.complete();
    }

    @Override
    protected void abort() {
        // A fault behind a tunnel is no fault of the gateway (RFC 9113 section 8.5).
        Http2Error fault = tunnelled() ? Http2Error.CONNECT_ERROR : Http2Error.INTERNAL_ERROR;
        connection.reset(stream, resetAfter == null ? fault : resetAfter);
        abandon();
    }

    @Override
    public void cutMalformed() {
        resetAfter(Http2Error.PROTOCOL_ERROR); // RFC 9113 section 8.1.1
        cut();
    }

    @Override
    public void flush() {
        if (!finished()) {
            writePending();
            connection.flushSoon();
        }
    }

    @Override
    public boolean writable() {
        ByteBuf pending = pendingData;
        full = queued + (pending == null ? 0 : pending.readableBytes()) >= MAX_QUEUED;
        return !full;
    }

    @Override
    public long unsent() {
        ByteBuf pending = pendingData;
        return (long) queued + (pending == null ? 0 : pending.readableBytes());
    }

    @Override
    protected void openTunnel(TunnelHandler peer) {
        StreamTunnelPeer client = new StreamTunnelPeer(exchange());
        tunnel = client; // which has time limits of its own
        exchange().request().trim();
        flush();
        peer.open(client);
        if (connection.draining()) {
            client.drain();
        }
    }

    /** Returns whether the stream is a tunnel. */
    boolean tunnelled() {
        return tunnel != null;
    }

    /** Returns whether the stream is a tunnel with an open direction, to which the time limits of the tunnel apply. */
    boolean relays() {
        return tunnelled() && (state == Http2ResponseState.OPEN || (state.halfClosed() && !clientEnded()));
    }

    /** Signals to the stream's tunnel, if it is one, that the gateway stops; resets the stream of a tunnel that has ended. */
    void drain() {
        StreamTunnelPeer client = tunnel;
        if (client != null && ended()) {
            connection.reset(stream, Http2Error.NO_ERROR); // which waits for a client that may never end its side
        } else if (client != null) {
            client.drain();
        }
    }

    private void writePending() {
        Http2Headers head = pendingHead;
        if (head != null) {
            pendingHead = null;
            connection.writeHead(stream, head, false, connection.promise());
        }
        ByteBuf data = pendingData;
        if (data != null) {
            pendingData = null;
            writePiece(data, false);
        }
    }

    /** Writes head and body at once. Returns false when the head was written before or the body must be written separately. */
    private boolean writtenWhole(ByteBuf data) {
        Http2Headers head = pendingHead;
        if (head == null) {
            return false;
        }
        int n = data.readableBytes();
        pendingHead = null;
        queue(n);
        boolean written = connection.writeCoalesced(stream, head, data, promise(n, true));
        if (!written) {
            pendingHead = head;
            queued -= n;
        }
        return written;
    }

    private void writePiece(ByteBuf data, boolean last) {
        // A queue of tiny frames takes more memory than their bytes.
        int n = last ? data.readableBytes() : Math.max(MIN_QUEUED, data.readableBytes());
        queue(n);
        connection.writeData(stream, data, last, promise(n, last));
    }

    private void queue(int bytes) {
        if (queued == 0) {
            queuedSince = connection.ticker().nanoTime();
        }
        queued += bytes;
    }

    private WritePromise promise(int bytes, boolean last) {
        WritePromise promise = new WritePromise(connection, bytes, last);
        promise.addListener((ChannelFutureListener) done -> written(promise));
        return promise;
    }

    private void written(WritePromise promise) {
        queued -= promise.bytes;
        if (!promise.isSuccess()) {
            abandon();
            return;
        }
        queuedSince = connection.ticker().nanoTime();
        if (promise.last) {
            settle();
        } else if (full) {
            becameWritable();
        }
    }

    /** Completes the exchange once all was sent and, after a half-close, the client's side has ended too: the stream is closed then. */
    private void settle() {
        Http2ResponseState next = state.sent(stream.state() == Http2Stream.State.CLOSED);
        if (next == Http2ResponseState.FINISHED) {
            finish(false);
        } else {
            state = next;
        }
    }

    private void finish(boolean reset) {
        if (ended()) {
            return;
        }
        state = Http2ResponseState.FINISHED;
        connection.completed(this, reset);
    }

    /** Returns whether an upstream has completed the exchange. */
    boolean completedByUpstream() {
        return exchange().outcome().upstreamUse() == Outcome.UpstreamUse.COMPLETED;
    }

    /** Returns what a reset by the client would cancel now. */
    Cancellation cancellation() {
        Exchange exchange = exchange();
        return new Cancellation(
                exchange.now() - exchange.timeline().startNanos(),
                begun(),
                exchange.outcome().upstreamUse() == Outcome.UpstreamUse.CONNECTION);
    }

    /** Ends a response that will never be complete. */
    void abandon() {
        if (ended()) {
            return;
        }
        state = Http2ResponseState.FINISHED;
        if (pendingData != null) {
            pendingData.release();
            pendingData = null;
        }
        pendingHead = null;
        exchange().outcome().markCut();
        Http2RequestBody its = body;
        exchange().end();
        if (its != null) {
            its.fail();
        }
    }

    /** Handles the closed stream. When the response was handed over completely, the promise of its last part decides the outcome. */
    void closed() {
        Http2RequestBody its = body;
        if (state == Http2ResponseState.OPEN || (state.halfClosed() && !clientEnded())) {
            abandon();
        } else if (state.halfClosed()) {
            if (its != null) {
                its.handOver();
            }
            if (state == Http2ResponseState.HALF_SENT) {
                finish(false);
            }
        } else if (its != null) {
            its.fail();
        }
    }

    /** Returns whether all of the response was sent, or never will be. */
    boolean ended() {
        return state == Http2ResponseState.FINISHED;
    }

    /** Returns since when nothing of the queued data was sent, by the ticker of the event loop; meaningless unless {@link #holds}. */
    long queuedSince() {
        return queuedSince;
    }

    boolean holds() {
        return queued > 0;
    }

    @Override
    protected boolean handedOver() {
        return state != Http2ResponseState.OPEN;
    }
}
