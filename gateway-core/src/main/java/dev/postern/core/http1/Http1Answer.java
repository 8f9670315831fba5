package dev.postern.core.http1;

import dev.postern.core.exchange.Answer;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Field;
import dev.postern.core.exchange.FieldName;
import dev.postern.core.exchange.Method;
import dev.postern.core.exchange.Outcome;
import dev.postern.core.exchange.ResponseHead;
import dev.postern.core.exchange.Trailers;
import dev.postern.core.exchange.Tunnel;
import dev.postern.core.http1.Http1Writer.Afterwards;
import dev.postern.core.refusal.Refusal;
import dev.postern.core.refusal.Reply;
import dev.postern.core.syntax.HttpDate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one exchange on its way into an HTTP/1.1 connection: framed at once, written when its turn has come.
 *
 * <p>The head is held back until the first data, so that a small answer is one buffer and one write.
 */
final class Http1Answer implements Answer {

    /** Data up to this size is copied behind the head instead of being written as a buffer of its own. */
    private static final int SMALL = 2048;

    /** Bytes held for an answer whose turn has not come; beyond them its upstream is paused. */
    private static final int MOST_HELD = 64 * 1024;

    private final Http1Connection connection;
    private final ArrivalOrder.Place place;
    private @Nullable Exchange exchange;
    private @Nullable ByteBuf pending;
    private @Nullable ByteBuf trailers;
    private @Nullable ArrayDeque<ByteBuf> held;
    private @Nullable Runnable writableListener;
    private @Nullable Tunnel tunnel;
    private int heldBytes;
    private boolean first;
    private boolean begun;
    private boolean chunked;
    private boolean bodiless;
    private boolean closes;
    private boolean complete;
    private boolean replaced;
    private boolean broken;

    Http1Answer(Http1Connection connection, ArrivalOrder.Place place) {
        this.connection = connection;
        this.place = place;
    }

    void exchange(Exchange value) {
        exchange = value;
    }

    Exchange exchange() {
        Exchange set = exchange;
        if (set == null) {
            throw new IllegalStateException("exchange: none (expected: set at once)");
        }
        return set;
    }

    ArrivalOrder.Place place() {
        return place;
    }

    boolean complete() {
        return complete;
    }

    /** Whether the connection ends after this answer. */
    boolean closes() {
        return closes;
    }

    @Nullable
    Tunnel tunnel() {
        return tunnel;
    }

    @Override
    public void interim(ResponseHead head) {
        if (gone() || exchange().request().minorVersion() == 0) {
            return;
        }
        ByteBuf out = allocate(head.size());
        int fields = Http1Writer.response(head, false, Afterwards.KEEP, out);
        if (!OutgoingCheck.answer(out, fields)) {
            out.release();
            exchange().outcome().markAmbiguous();
            return;
        }
        write(out);
        flush();
    }

    @Override
    public void head(ResponseHead head) {
        if (gone()) {
            return;
        }
        Exchange of = exchange();
        begun = true;
        of.markAnswering();
        frame(of, head);
        for (Field field : of.answerFields()) {
            head.add(field);
        }
        if (!head.has(FieldName.DATE)) {
            head.add(FieldName.DATE, HttpDate.now());
        }
        ByteBuf out = allocate(head.size() + (head.bodyLength() > SMALL ? 0 : SMALL));
        int fields = Http1Writer.response(head, chunked, afterwards(of), out);
        if (OutgoingCheck.answer(out, fields)) {
            pending = out;
        } else {
            out.release();
            ambiguous(of);
        }
    }

    /** Says so instead, whole and once; what was to follow is dropped. */
    private void ambiguous(Exchange of) {
        Outcome outcome = of.outcome();
        outcome.markAmbiguous();
        if (replaced) {
            breakOff(); // what we would say ourselves is no better
            return;
        }
        replaced = true;
        boolean theirs = outcome.forwarded() && outcome.refusal() == null;
        Refusal refusal = theirs ? Refusal.UPSTREAM_MALFORMED : Refusal.INTERNAL;
        outcome.refusal(refusal);
        outcome.reason(Outcome.AMBIGUOUS);
        Reply.of(refusal, of, List.of()).writeTo(of);
    }

    private void frame(Exchange of, ResponseHead head) {
        boolean tunnels = (of.request().method().equals(Method.CONNECT) && head.status() < 300) || head.status() == 101;
        bodiless = of.request().method().equals(Method.HEAD) || head.status() == 204 || head.status() == 304 || tunnels;
        long length = head.bodyLength();
        boolean unknown = !bodiless && (length == ResponseHead.CHUNKED || length == ResponseHead.UNTIL_CLOSE);
        chunked = unknown && of.request().minorVersion() > 0;
        closes = !tunnels && (connection.closesAfter(of) || (unknown && !chunked));
    }

    private Afterwards afterwards(Exchange of) {
        if (closes) {
            return Afterwards.CLOSE;
        }
        boolean upgraded = of.request().method().equals(Method.CONNECT);
        return of.request().minorVersion() == 0 && !upgraded ? Afterwards.KEEP_SAID : Afterwards.KEEP;
    }

    @Override
    public void data(ByteBuf data) {
        int n = data.readableBytes();
        if (gone() || bodiless || n == 0) {
            data.release();
            return;
        }
        exchange().outcome().addBytesOut(n);
        ByteBuf head = pending;
        if (head != null && n <= SMALL && head.writableBytes() >= n + 24) {
            append(head, data, n);
            return;
        }
        if (chunked) {
            ByteBuf before = head != null ? head : allocate(24);
            Http1Writer.chunkSize(n, before);
            pending = before;
        }
        writePending();
        write(data);
        if (chunked) {
            ByteBuf after = allocate(32);
            Http1Writer.chunkEnd(after);
            pending = after;
        }
    }

    private void append(ByteBuf head, ByteBuf data, int n) {
        if (chunked) {
            Http1Writer.chunkSize(n, head);
        }
        head.writeBytes(data);
        data.release();
        if (chunked) {
            Http1Writer.chunkEnd(head);
        }
    }

    @Override
    public void end() {
        if (gone()) {
            return;
        }
        if (chunked) {
            end(pending != null ? pending : allocate(8));
        }
        complete = true;
        flush();
        connection.completed(this);
    }

    private void end(ByteBuf out) {
        pending = out;
        ByteBuf behind = trailers;
        if (behind == null) {
            Http1Writer.lastChunk(out);
            return;
        }
        trailers = null;
        Http1Writer.lastChunkSize(out);
        writePending();
        write(behind);
    }

    @Override
    public void trailers(Trailers value) {
        if (gone() || !chunked) {
            return;
        }
        ByteBuf out = allocate(value.size());
        int fields = Http1Writer.trailers(value, out);
        if (OutgoingCheck.trailers(out, fields)) {
            trailers = out;
        } else {
            out.release();
            exchange().outcome().markAmbiguous();
        }
    }

    @Override
    public void cut() {
        if (gone()) {
            return;
        }
        breakOff();
    }

    /** Not before its turn: what stands before it is whole. */
    private void breakOff() {
        exchange().outcome().markCut();
        writePending();
        broken = true;
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
        return first ? connection.writable() : heldBytes < MOST_HELD;
    }

    @Override
    public void onWritable(Runnable listener) {
        writableListener = listener;
    }

    void becameWritable() {
        Runnable listener = writableListener;
        if (listener != null && writable()) {
            listener.run();
        }
    }

    @Override
    public void tunnel(Tunnel peer) {
        if (!gone()) {
            tunnel = peer;
            complete = true;
            flush();
            connection.completed(this);
        }
    }

    /** All answers before this one are out: what was held goes now. */
    void becomeFirst() {
        first = true;
        ArrayDeque<ByteBuf> waiting = held;
        if (waiting != null) {
            held = null;
            heldBytes = 0;
            for (ByteBuf buffer : waiting) {
                connection.write(buffer);
            }
            connection.flush();
        }
        if (broken) {
            connection.cut();
        } else {
            becameWritable();
        }
    }

    /** Whether a byte of it was given to the connection or to this answer. */
    boolean begun() {
        return begun;
    }

    /** Lets go of all buffers; the connection is gone. */
    void release() {
        if (pending != null) {
            pending.release();
            pending = null;
        }
        if (trailers != null) {
            trailers.release();
            trailers = null;
        }
        if (held != null) {
            held.forEach(ByteBuf::release);
            held = null;
        }
        writableListener = null;
        complete = true;
    }

    private boolean gone() {
        return complete || broken || exchange().ended();
    }

    private void writePending() {
        ByteBuf out = pending;
        if (out != null) {
            pending = null;
            write(out);
        }
    }

    private void write(ByteBuf out) {
        if (first) {
            connection.write(out);
            return;
        }
        ArrayDeque<ByteBuf> waiting = held;
        if (waiting == null) {
            waiting = new ArrayDeque<>();
            held = waiting;
        }
        heldBytes += out.readableBytes();
        waiting.add(out);
    }

    private ByteBuf allocate(int size) {
        ByteBufAllocator allocator = connection.allocator();
        return allocator.directBuffer(size + Http1Writer.EXTRA);
    }
}
