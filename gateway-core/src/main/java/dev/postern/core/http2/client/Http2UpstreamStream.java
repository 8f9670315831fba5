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

    private static final int MULTIPLE_CHOICES = 300;

    private final Http2UpstreamConnection connection;
    private final Owner owner;
    private final Deadline deadline;
    private final UpstreamRequestBody requestBody;
    private final ResponseLength length = new ResponseLength();
    private final PausedResponseBuffer pausedResponse = new PausedResponseBuffer();
    private @Nullable UpstreamResponseHandler responseHandler;
    private ResponseState response = ResponseState.IDLE;
    private @Nullable Http2Stream stream;
    private Method method = Method.GET;
    private long sentAt;
    private int grant;
    private boolean upgrading;
    private boolean recorded;

    Http2UpstreamStream(Http2UpstreamConnection connection, Owner owner) {
        this.connection = connection;
        this.owner = owner;
        this.requestBody = new UpstreamRequestBody(connection, this::bodyWritable);
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
        length.begin();
        response = ResponseState.SENT;
        upgrading = head.has(FieldName.UPGRADE);
        boolean complete = !head.hasBody() && !upgrading;
        requestBody.begin(complete);
        pausedResponse.begin();
        sentAt = connection.open(this, fields, complete);
        if (stream == null && responseHandler == next) {
            drop(); // the connection accepts no more streams
            owner.free(true);
            next.unprocessed(true);
        }
    }

    /** Sets the stream that is being opened. */
    void opened(Http2Stream value) {
        stream = value;
        requestBody.stream(value);
    }

    @Override
    public void body(ByteBuf data) {
        if (responseHandler == null) {
            data.release();
        } else {
            requestBody.send(data);
        }
    }

    private void bodyWritable() {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null) {
            handler.writable();
        }
    }

    @Override
    public void behindBody(Trailers trailers) {
        requestBody.behind(trailers);
    }

    @Override
    public void bodyEnd() {
        if (responseHandler != null) {
            requestBody.end();
        }
    }

    @Override
    public boolean writable() {
        return requestBody.writable();
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
        record();
        ResponseHead head = block.head();
        if (head.interim()) {
            handler.interim(head);
            return;
        }
        response = last ? ResponseState.COMPLETE : ResponseState.BODY;
        length.head(head, method);
        if (upgrading && head.status() < MULTIPLE_CHOICES) {
            length.unknown();
            handler.upgraded(head, this);
        } else {
            handler.head(head);
        }
        notifyEnd(handler);
    }

    private void behind(ResponseHeaderBlock block, boolean last, UpstreamResponseHandler handler) {
        if (ResponseHeadMapper.trailers(block, last) != null || length.missing()) {
            malformed();
            return;
        }
        pausedResponse.trailers(block.trailers());
        response = ResponseState.COMPLETE;
        notifyEnd(handler);
    }

    /** Handles a piece of the body. Returns how many of its bytes were consumed at once. */
    int data(ByteBuf data, boolean last) {
        int n = data.readableBytes();
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null) {
            return n; // no reader
        }
        if (length.forbids(n) && response == ResponseState.BODY) {
            excess(handler);
            return n;
        }
        if (!length.receive(n, last) || response != ResponseState.BODY) {
            malformed();
            return n;
        }
        response = last ? ResponseState.COMPLETE : ResponseState.BODY;
        record();
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

    /** Completes a response that ended with its head, though the server sends content where none is allowed (RFC 9110 section 6.4.1). */
    private void excess(UpstreamResponseHandler handler) {
        requestBody.giveUp();
        finish(handler, true);
        connection.fault();
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
        finish(handler, requestBody.giveUp()); // RFC 9113 section 8.1: the rest of the request is not needed
    }

    private void finish(UpstreamResponseHandler handler, boolean reset) {
        leave();
        if (stream == null) {
            owner.free(true); // the stream closed while a part of the response was held
        } else if (reset) {
            connection.reset(stream, Http2Error.CANCEL);
        }
        handler.complete();
    }

    /** Has the connection call {@link #readComplete} once at the end of this read. */
    private void record() {
        if (!recorded) {
            recorded = true;
            connection.received(this);
        }
    }

    /** Notifies the handler that all data of one read, or all held data, was delivered. */
    void readComplete() {
        recorded = false;
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
            connection.silence().late(sentAt);
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
        if (error == Http2Error.NO_ERROR.code() && response == ResponseState.BODY && length.complete()) {
            response = ResponseState.COMPLETE; // Node 20 ends some so, and Content-Length says that nothing is missing
            notifyEnd(handler);
            return;
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
        grant = stream == null ? grant : connection.windows().grantOf(stream);
        stream = null;
        requestBody.stream(null);
        UpstreamResponseHandler handler = responseHandler;
        if (response == ResponseState.COMPLETE) {
            return; // freed once all data is delivered
        }
        boolean silent = response == ResponseState.SENT;
        drop();
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
        connection.windows().giveBack(grant); // no data of a closed stream is held any more
        grant = 0;
    }

    private void drop() {
        leave();
        pausedResponse.release();
    }

    /** Gives up a safe request without a byte of a response, which may be sent again: the connection is no longer believed to live. */
    void giveUp() {
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null && response == ResponseState.SENT && requestBody.done() && method.safe()) {
            abort();
            handler.failed(Refusal.UPSTREAM_CLOSED, true);
        }
    }

    @Override
    public boolean shared() {
        return true;
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
