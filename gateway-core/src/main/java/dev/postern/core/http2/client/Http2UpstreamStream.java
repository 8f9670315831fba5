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
import dev.postern.core.upstream.UpstreamResponseHandler;
import dev.postern.core.upstream.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One exchange after the other, each on a stream of its own of one connection to an upstream. What a slow client does not take is held
 * here, one window at most, and the window opens again for what was taken; no other stream notices. Event loop only.
 */
final class Http2UpstreamStream implements UpstreamStream {

    /** Bytes of a request's body that wait for the server's window; beyond them its client is paused. */
    private static final int MAX_QUEUED = 64 * 1024;

    private static final int MULTIPLE_CHOICES = 300;

    private final Http2UpstreamConnection connection;
    private final Owner owner;
    private final Deadline deadline;
    private final PausedResponseBuffer held = new PausedResponseBuffer();
    private @Nullable UpstreamResponseHandler responseHandler;
    private @Nullable Http2Stream stream;
    private @Nullable Http2Headers behindBody;
    private Method asked = Method.GET;
    private long declared;
    private long received;
    private int queued;
    private boolean upgrading;
    private boolean headRead;
    private boolean bodiless;
    private boolean silent;
    private boolean requestDone;
    private boolean ended;
    private boolean full;

    Http2UpstreamStream(Http2UpstreamConnection connection, Owner owner) {
        this.connection = connection;
        this.owner = owner;
        this.deadline = new Deadline(connection.channel().eventLoop(), this::late);
    }

    // ---- the request

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
        asked = head.method();
        behindBody = null;
        declared = -1;
        received = 0;
        queued = 0;
        headRead = false;
        silent = true;
        ended = false;
        full = false;
        upgrading = head.has(FieldName.UPGRADE);
        requestDone = !head.hasBody() && !upgrading;
        held.begin();
        connection.open(this, fields, requestDone);
        if (stream == null && responseHandler == next) {
            responseHandler = null; // it takes no more streams, for whatever reason
            deadline.clear();
            owner.free(true);
            next.unprocessed(true);
        }
    }

    /** Its stream is being opened. */
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
            return; // of an exchange that is over
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

    // ---- the response

    /** A field section came on its stream. */
    void fields(ResponseHeaderBlock block, boolean last) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null) {
            return;
        }
        silent = false;
        if (headRead) {
            behind(block, last, handler);
            return;
        }
        String wrong = ResponseHeadMapper.complete(block, asked, last);
        if (wrong != null) {
            malformed();
            return;
        }
        connection.told(this);
        ResponseHead head = block.head();
        if (head.interim()) {
            handler.interim(head);
            return;
        }
        headRead = true;
        bodiless = ResponseHeadMapper.bodiless(head.status(), asked);
        declared = bodiless ? 0 : head.bodyLength();
        ended = last;
        if (upgrading && head.status() < MULTIPLE_CHOICES) {
            declared = -1;
            handler.upgraded(head, this);
        } else {
            handler.head(head);
        }
        tellEnd(handler);
    }

    private void behind(ResponseHeaderBlock block, boolean last, UpstreamResponseHandler handler) {
        if (ResponseHeadMapper.trailers(block, last) != null || (declared >= 0 && received < declared)) {
            malformed();
            return;
        }
        held.trailers(block.trailers());
        ended = true;
        tellEnd(handler);
    }

    /** A piece came on its stream; how much of it was taken at once. */
    int data(ByteBuf data, boolean last) {
        int n = data.readableBytes();
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null) {
            return n; // nobody wants it
        }
        silent = false;
        received += n;
        boolean wrongLength = declared >= 0 && (received > declared || (last && received < declared));
        if (!headRead || wrongLength) {
            malformed();
            return n;
        }
        ended = last;
        connection.told(this);
        int taken = n;
        if (n > 0 && held.holds()) {
            held.add(data.retain());
            taken = 0;
        } else if (n > 0) {
            handler.content(data.retain());
        }
        tellEnd(handler);
        return taken;
    }

    /** The response is complete once all of it was told. */
    private void tellEnd(UpstreamResponseHandler handler) {
        if (!ended || held.holds() || responseHandler != handler) {
            return;
        }
        Trailers trailers = held.takeTrailers();
        if (trailers != null) {
            handler.trailers(trailers);
        }
        if (responseHandler == handler) {
            finish(handler);
        }
    }

    private void finish(UpstreamResponseHandler handler) {
        responseHandler = null;
        deadline.clear();
        if (stream == null) {
            owner.free(true); // it was closed while a part of the response was held
        } else if (!requestDone) {
            requestDone = true;
            connection.reset(stream, Http2Error.CANCEL); // RFC 9113 section 8.1: nobody wants the rest
        }
        handler.complete();
    }

    /** All that came in one go was told. */
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
        held.pause();
    }

    @Override
    public void resume() {
        held.resume();
        UpstreamResponseHandler handler = responseHandler;
        boolean some = false;
        for (ByteBuf data = held.next(); data != null && handler != null; data = held.next()) {
            some = true;
            if (stream != null) { // a closed one takes nothing more
                connection.taken(stream, data.readableBytes());
            }
            handler.content(data);
        }
        if (handler != null && responseHandler == handler) {
            tellEnd(handler);
        }
        if (some) {
            readComplete();
        }
    }

    @Override
    public void expect(long now, Duration within) {
        deadline.set(now, within.toNanos());
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

    // ---- how it ends

    /** The server takes the stream back. */
    void reset(long error) {
        UpstreamResponseHandler handler = responseHandler;
        if (handler == null || ended) {
            return; // what was held is the whole response all the same
        }
        drop();
        if (error == Http2Error.REFUSED_STREAM.code() && silent) {
            handler.unprocessed(false);
        } else {
            handler.failed(Refusal.UPSTREAM_CLOSED, false);
        }
    }

    /**
     * Its stream is gone.
     *
     * @param refusal what the exchange is told when it was not over
     * @param unprocessed whether the server said that it did nothing with it
     */
    void closed(Refusal refusal, boolean unprocessed) {
        stream = null;
        UpstreamResponseHandler handler = responseHandler;
        if (handler != null && ended) {
            return; // freed once all is told
        }
        boolean nothing = silent;
        if (handler != null) {
            drop();
        }
        owner.free(true);
        if (handler != null && unprocessed && nothing) {
            handler.unprocessed(true);
        } else if (handler != null) {
            handler.failed(refusal, nothing);
        }
    }

    /** The response is not what HTTP/2 allows. */
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

    private void drop() {
        responseHandler = null;
        deadline.clear();
        held.release();
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
