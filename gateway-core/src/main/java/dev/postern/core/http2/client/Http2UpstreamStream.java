package dev.postern.core.http2.client;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http2.PausedResponseBuffer;
import dev.postern.core.http2.codec.RequestHeadersWriter;
import dev.postern.core.transport.loop.Deadline;
import dev.postern.core.upstream.connect.ResponseState;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Upstream stream that carries one exchange at a time, each on a new HTTP/2 stream of one connection. Data that a slow client does not read
 * is held here, at most one window; the window opens again only for consumed data, and no other stream is affected. Event loop only.
 */
final class Http2UpstreamStream implements UpstreamStream {

    /** Bytes of a request's body queued for the server's window; beyond this the client is paused. */
    private static final int MAX_QUEUED = 64 * 1024;

    private static final int MULTIPLE_CHOICES = 300;

    private final Http2UpstreamConnection connection;
    private final Owner owner;
    private final Deadline deadline;
    private final PausedResponseBuffer pausedResponse = new PausedResponseBuffer();
    private @Nullable UpstreamResponseHandler responseHandler;
    private ResponseState response = ResponseState.IDLE;
    private @Nullable Http2Stream stream;
    private @Nullable Http2Headers behindBody;
    private Method method = Method.GET;
    private long declared;
    private long received;
    private int queued;
    private boolean upgrading;
    private boolean requestDone;
    private boolean full;

    Http2UpstreamStream(Http2UpstreamConnection connection, Owner owner) {
        this.connection = connection;
        this.owner = owner;
        this.deadline = new Deadline(connection.channel().eventLoop(), this::late);
    }

    // ---- request

    @Override
    public void send(RequestHead head, UpstreamResponseHandler next) {
        Http2Headers fields = RequestHeadersWriter.request(head, connection.scheme());
        if (fields == null || !connection.takes(head)) {
            deadline.clear();
            owner.free(true);
            if (fields == null) {
                next.unsendable();
            } else {
                next.unsupported();
            }
            return;
        }
        responseHandler = next;
        method = head.method();
        behindBody = null;
        declared = -1;
        received = 0;
        queued = 0;
        response = ResponseState.SENT;
        full = false;
        upgrading = head.has(FieldName.UPGRADE);
        requestDone = !head.hasBody() && !upgrading;
        pausedResponse.begin();
        connection.open(this, fields, requestDone);
        if (stream == null && responseHandler == next) {
            drop(); // the connection accepts no more streams
            owner.free(true);
            next.unprocessed(true);
        }
    }

    /** Sets the stream that is being opened. */
    void opened(Http2Stream value) {
        stream = value;
    }

    @Override
    public void body(ByteBuf data) {
        Http2Stream to = stream;
        if (responseHandler == null || requestDone || to == null) {
            data.release();
            return;
        }
        int n = data.readableBytes();
        queued += n;
        connection.writeData(to, data, false).addListener(done -> written(to, n));
    }

    private void written(Http2Stream of, int bytes) {
        if (stream != of) {
            return; // belongs to an earlier exchange
        }
        queued -= bytes;
        UpstreamResponseHandler handler = responseHandler;
        if (full && writable() && handler != null) {
            handler.writable();
        }
    }

    @Override
    public void behindBody(Trailers trailers) {
        behindBody = RequestHeadersWriter.trailers(trailers);
    }

    @Override
    public void bodyEnd() {
        Http2Stream to = stream;
        if (responseHandler == null || requestDone || to == null) {
            return;
        }
        requestDone = true;
        if (behindBody != null) {
            connection.writeTrailers(to, behindBody);
        } else {
            connection.writeData(to, Unpooled.EMPTY_BUFFER, true);
        }
    }

    @Override
    public boolean writable() {
        full = queued >= MAX_QUEUED;
        return !full;
    }

    // ---- response

    /** Handles a field section of the stream. */
    void fields(ResponseHeaderBlock block, boolean last) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null) {
            return;
        }
        if (response == ResponseState.BODY) {
            behind(block, last, handler);
            return;
        }
        response = ResponseState.BEGUN;
        String wrong = ResponseHeadMapper.complete(block, method, last);
        if (wrong != null) {
            malformed();
            return;
        }
        connection.received(this);
        ResponseHead head = block.head();
        if (head.interim()) {
            handler.interim(head);
            return;
        }
        received(last);
        declared = ResponseHeadMapper.bodiless(head.status(), method) ? 0 : head.bodyLength();
        if (upgrading && head.status() < MULTIPLE_CHOICES) {
            declared = -1;
            handler.upgraded(head, this);
        } else {
            handler.head(head);
        }
        notifyEnd(handler);
    }

    private void received(boolean last) {
        response = last ? ResponseState.COMPLETE : ResponseState.BODY;
    }

    private void behind(ResponseHeaderBlock block, boolean last, UpstreamResponseHandler handler) {
        if (ResponseHeadMapper.trailers(block, last) != null || (declared >= 0 && received < declared)) {
            malformed();
            return;
        }
        pausedResponse.trailers(block.trailers());
        received(true);
        notifyEnd(handler);
    }

    /** Handles a piece of the body. Returns how many of its bytes were consumed at once. */
    int data(ByteBuf data, boolean last) {
        int n = data.readableBytes();
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null) {
            return n; // no reader
        }
        received += n;
        boolean wrongLength = declared >= 0 && (received > declared || (last && received < declared));
        if (response != ResponseState.BODY || wrongLength) {
            malformed();
            return n;
        }
        received(last);
        connection.received(this);
        int taken = n;
        if (n > 0 && pausedResponse.holds()) {
            pausedResponse.add(data.retain());
            taken = 0;
        } else if (n > 0) {
            handler.content(data.retain());
        }
        notifyEnd(handler);
        return taken;
    }

    /** Completes the response once all of it was delivered to the handler. */
    private void notifyEnd(UpstreamResponseHandler handler) {
        if (response != ResponseState.COMPLETE || pausedResponse.holds() || responseHandler != handler) {
            return;
        }
        Trailers trailers = pausedResponse.takeTrailers();
        if (trailers != null) {
            handler.trailers(trailers);
        }
        if (responseHandler == handler) {
            finish(handler);
        }
    }

    private void finish(UpstreamResponseHandler handler) {
        leave();
        if (stream == null) {
            owner.free(true); // the stream closed while a part of the response was held
        } else if (!requestDone) {
            requestDone = true;
            connection.reset(stream, Http2Error.CANCEL); // RFC 9113 section 8.1: the rest of the request is not needed
        }
        handler.complete();
    }

    /** Notifies the handler that all received data was delivered. */
    void readComplete() {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null) {
            handler.readComplete();
        }
    }

    @Override
    public void hand(UpstreamResponseHandler next) {
        responseHandler = next;
    }

    @Override
    public void pause() {
        pausedResponse.pause();
    }

    @Override
    public void resume() {
        pausedResponse.resume();
        UpstreamResponseHandler handler = responseHandler;
        boolean some = false;
        for (ByteBuf data = pausedResponse.next(); data != null && handler != null; data = pausedResponse.next()) {
            some = true;
            if (stream != null) { // a closed stream has no window
                connection.taken(stream, data.readableBytes());
            }
            handler.content(data);
        }
        if (handler != null && responseHandler == handler) {
            notifyEnd(handler);
        }
        if (some) {
            readComplete();
        }
    }

    @Override
    public void expect(long now, Duration timeout) {
        deadline.set(now, timeout.toNanos());
    }

    @Override
    public void expectNothing() {
        deadline.clear();
    }

    private void late() {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null) {
            handler.late();
        }
    }

    // ---- closing

    /** Handles RST_STREAM of the server. */
    void reset(long error) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null || response == ResponseState.COMPLETE) {
            return; // the held data completes the response
        }
        boolean silent = response == ResponseState.SENT;
        drop();
        if (error == Http2Error.REFUSED_STREAM.code() && silent) {
            handler.unprocessed(false);
        } else {
            handler.failed(Refusal.UPSTREAM_CLOSED, false);
        }
    }

    /**
     * Handles the closed stream.
     *
     * @param refusal for an exchange that was not complete
     * @param unprocessed whether the server stated that it did not process the request
     */
    void closed(Refusal refusal, boolean unprocessed) {
        stream = null;
        UpstreamResponseHandler handler = responseHandler;
        if (response == ResponseState.COMPLETE) {
            return; // freed once all data is delivered
        }
        boolean silent = response == ResponseState.SENT;
        if (handler != null) {
            drop();
        }
        owner.free(true);
        if (handler != null && unprocessed && silent) {
            handler.unprocessed(true);
        } else if (handler != null) {
            handler.failed(refusal, silent);
        }
    }

    /** Fails the exchange because the response violates HTTP/2. */
    private void malformed() {
        UpstreamResponseHandler handler = responseHandler;
        drop();
        if (stream != null) {
            connection.reset(stream, Http2Error.PROTOCOL_ERROR);
        }
        connection.fault();
        if (handler != null) {
            handler.failed(Refusal.UPSTREAM_MALFORMED, false);
        }
    }

    /** Ends the exchange; its handler gets one more call at most. */
    private void leave() {
        responseHandler = null;
        response = ResponseState.IDLE;
        deadline.clear();
    }

    private void drop() {
        leave();
        pausedResponse.release();
    }

    @Override
    public void abort() {
        if (responseHandler == null) {
            return;
        }
        drop();
        if (stream == null) {
            owner.free(true);
        } else {
            connection.reset(stream, Http2Error.CANCEL);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
