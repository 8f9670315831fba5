package dev.postern.core.http1;

import dev.postern.core.exchange.AbstractResponseWriter;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http1.codec.ChunkWriter;
import dev.postern.core.http1.codec.HeadWriter.Afterwards;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the response of one exchange to an HTTP/1.1 connection: frames data at once, writes it when all earlier responses are written.
 *
 * <p>The head is held back until the first data, so that a small response is one buffer and one write.
 */
final class Http1ResponseWriter extends AbstractResponseWriter {

    /** Data up to this size is copied behind the head instead of being written as a separate buffer. */
    private static final int SMALL = 2048;

    /** Bytes up to which a chunk is copied into one buffer with its framing, instead of written as three buffers. */
    private static final int COPIED = 16 * 1024;

    private final Http1ServerConnection connection;
    private final PipeliningQueue.QueuedExchange queued;
    private @Nullable ByteBuf pending;
    private @Nullable ByteBuf trailers;
    private @Nullable PendingOutput pendingOutput;
    private @Nullable TunnelHandler handler;
    private Http1ResponseState state = Http1ResponseState.NO_HEAD;
    private boolean first;
    private boolean chunked;
    private boolean closes;
    private boolean replaced;

    Http1ResponseWriter(Http1ServerConnection connection, PipeliningQueue.QueuedExchange queued) {
        this.connection = connection;
        this.queued = queued;
    }

    PipeliningQueue.QueuedExchange queued() {
        return queued;
    }

    boolean complete() {
        return state == Http1ResponseState.COMPLETE;
    }

    /** Returns whether the connection closes after this response. */
    boolean closes() {
        return closes;
    }

    @Nullable
    TunnelHandler handler() {
        return handler;
    }

    /** Writes 100 (Continue) if the client expects it and nothing was written before. */
    void writeContinue() {
        RequestHead request = exchange().request();
        if (request.expectsContinue() && !begun()) {
            request.expectsContinue(false);
            interim(new ResponseHead().status(100));
            flush();
        }
    }

    @Override
    protected void writeInterim(ResponseHead head) {
        if (exchange().request().minorVersion() == 0) {
            return;
        }
        ByteBuf out = connection.heads().response(head, false, Afterwards.KEEP, 0, connection.allocator());
        if (out == null) {
            exchange().outcome().markAmbiguous();
            return;
        }
        write(out);
    }

    @Override
    protected void writeHead(ResponseHead head) {
        Exchange source = exchange();
        frame(source, head);
        pending = connection.heads().response(head, chunked, afterwards(source), room(head), connection.allocator());
        if (pending == null) {
            ambiguous(source);
        } else {
            state = Http1ResponseState.HEAD_HELD;
        }
    }

    /** Replaces a response whose head could be read in two ways by a local reply, once; data that follows is dropped. */
    private void ambiguous(Exchange source) {
        Outcome outcome = source.outcome();
        outcome.markAmbiguous();
        if (replaced) {
            abort(); // the local reply was ambiguous too
            return;
        }
        replaced = true;
        boolean theirs = outcome.forwarded() && outcome.refusal() == null;
        Refusal refusal = theirs ? Refusal.UPSTREAM_MALFORMED : Refusal.INTERNAL;
        outcome.refusal(refusal);
        outcome.reason(Outcome.AMBIGUOUS);
        LocalReply.of(refusal, source, List.of()).writeTo(source);
    }

    /** Returns how many body bytes may follow in the head's own buffer. */
    private int room(ResponseHead head) {
        if (bodiless()) {
            return 0;
        }
        long length = head.bodyLength();
        int data = length < 0 ? SMALL : length > SMALL ? 0 : (int) length;
        return chunked ? data + ChunkWriter.FRAME : data;
    }

    @Override
    public boolean replace(Refusal refusal) {
        ByteBuf unsent = pending;
        if (finished() || state != Http1ResponseState.HEAD_HELD || unsent == null || replaced) {
            return false;
        }
        replaced = true;
        state = Http1ResponseState.NO_HEAD;
        pending = null;
        unsent.release();
        Exchange source = exchange();
        source.outcome().refusal(refusal);
        LocalReply.of(refusal, source, List.of()).writeTo(source);
        return true;
    }

    private void frame(Exchange source, ResponseHead head) {
        boolean tunnels = (source.request().messageMethod().equals(Method.CONNECT) && head.status() < 300)
                || head.status() == 101;
        if (tunnels) {
            dropData();
        }
        long length = head.bodyLength();
        boolean unknown = !bodiless() && (length == ResponseHead.CHUNKED || length == ResponseHead.UNTIL_CLOSE);
        chunked = unknown && source.request().minorVersion() > 0;
        closes = !tunnels && (connection.closesAfter(source) || (unknown && !chunked));
    }

    private Afterwards afterwards(Exchange source) {
        if (closes) {
            return Afterwards.CLOSE;
        }
        boolean upgraded = source.request().messageMethod().equals(Method.CONNECT);
        return source.request().minorVersion() == 0 && !upgraded ? Afterwards.KEEP_SAID : Afterwards.KEEP;
    }

    @Override
    protected void writeData(ByteBuf data) {
        int n = data.readableBytes();
        ByteBuf head = pending;
        if (head != null && n <= SMALL && head.writableBytes() >= n + (chunked ? ChunkWriter.FRAME : 0)) {
            append(head, data, n);
            return;
        }
        if (chunked && n <= COPIED) {
            writePending();
            pending = allocate(n + ChunkWriter.FRAME);
            ChunkWriter.chunk(data, pending);
            return;
        }
        if (chunked) {
            ByteBuf buffer = head != null ? head : allocate(ChunkWriter.FRAME);
            ChunkWriter.size(n, buffer);
            pending = buffer;
        }
        writePending();
        write(data);
        if (chunked) {
            ByteBuf after = allocate(32);
            ChunkWriter.end(after);
            pending = after;
        }
    }

    private void append(ByteBuf head, ByteBuf data, int n) {
        if (chunked) {
            ChunkWriter.size(n, head);
        }
        connection.heads().append(data, head);
        data.release();
        if (chunked) {
            ChunkWriter.end(head);
        }
    }

    @Override
    protected void writeEnd() {
        if (chunked) {
            end(pending != null ? pending : allocate(8));
        }
        state = Http1ResponseState.COMPLETE;
        flush();
        connection.completed(this);
    }

    private void end(ByteBuf out) {
        pending = out;
        ByteBuf tail = trailers;
        if (tail == null) {
            ChunkWriter.last(out);
            return;
        }
        trailers = null;
        ChunkWriter.lastSize(out);
        writePending();
        write(tail);
    }

    @Override
    protected boolean holdTrailers(Trailers value) {
        trailers = chunked ? connection.heads().trailers(value, connection.allocator()) : null;
        return trailers != null || !chunked;
    }

    /** Cuts the connection in order: earlier responses are complete. */
    @Override
    protected void abort() {
        exchange().outcome().markCut();
        writePending();
        state = Http1ResponseState.CUT;
        if (first) {
            connection.cut();
        }
    }

    @Override
    public void flush() {
        writePending();
        if (first) {
            connection.flush();
        }
    }

    @Override
    public boolean writable() {
        return first ? connection.writable() : pendingOutput == null || !pendingOutput.full();
    }

    @Override
    public long unsent() {
        return first ? connection.unsent() : pendingOutput == null ? 0 : pendingOutput.bytes();
    }

    @Override
    protected void openTunnel(TunnelHandler peer) {
        handler = peer;
        state = Http1ResponseState.COMPLETE;
        flush();
        connection.completed(this);
    }

    /** Writes held data: all earlier responses are written. */
    void becomeFirst() {
        first = true;
        PendingOutput waiting = pendingOutput;
        if (waiting != null) {
            pendingOutput = null;
            waiting.drainTo(connection::write);
            connection.flush();
        }
        if (state == Http1ResponseState.CUT) {
            connection.cut();
        } else {
            becameWritable();
        }
    }

    /** Releases all buffers; the connection is closed. */
    void release() {
        if (pending != null) {
            pending.release();
            pending = null;
        }
        if (trailers != null) {
            trailers.release();
            trailers = null;
        }
        if (pendingOutput != null) {
            pendingOutput.drainTo(ByteBuf::release);
            pendingOutput = null;
        }
        state = Http1ResponseState.COMPLETE;
    }

    @Override
    protected boolean handedOver() {
        return state.handedOver();
    }

    private void writePending() {
        ByteBuf out = pending;
        if (out != null) {
            pending = null;
            state = state.written();
            write(out);
        }
    }

    private void write(ByteBuf out) {
        if (first) {
            connection.write(out);
            return;
        }
        PendingOutput waiting = pendingOutput;
        if (waiting == null) {
            waiting = new PendingOutput();
            pendingOutput = waiting;
        }
        waiting.add(out);
    }

    private ByteBuf allocate(int size) {
        return connection.allocator().directBuffer(size);
    }
}
