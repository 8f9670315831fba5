package dev.postern.core.http1;

import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.http1.codec.BodyDecoder;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Body of the request that an HTTP/1.1 connection is receiving: unread until a reader asks, discarded when no reader will. */
final class Http1RequestBody implements RequestBody {

    private final Http1RequestDecoder receiver;
    private final BodyDecoder decoder = new BodyDecoder();
    private final long declared;
    private @Nullable Reader reader;
    private boolean paused;
    private boolean discarding;
    private boolean touched;
    private boolean broken;
    private long received;
    private long discarded;

    Http1RequestBody(Http1RequestDecoder receiver, RequestHead head) {
        this.receiver = receiver;
        this.declared = head.bodyLength();
        decoder.begin(declared);
    }

    @Override
    public void read(Reader taker) {
        reader = taker;
        if (broken) {
            taker.broken();
            return;
        }
        receiver.bodyWanted(this);
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            receiver.bodyWanted(this);
        }
    }

    @Override
    public boolean untouched() {
        return !touched && !discarding;
    }

    /** Returns whether received bytes can be passed on or dropped now. */
    boolean flows() {
        return discarding || (reader != null && !paused);
    }

    boolean done() {
        return decoder.done();
    }

    boolean begun() {
        return received > 0;
    }

    /** Returns the number of bytes that are still to come, if known; a chunked body counts as endless. */
    long outstanding() {
        if (decoder.done()) {
            return 0;
        }
        return declared < 0 ? Long.MAX_VALUE : declared - received;
    }

    /** Discards the rest of the body. */
    void discard() {
        discarding = true;
        reader = null;
    }

    long discarded() {
        return discarded;
    }

    /** Passes on the body bytes of the buffer; returns when the buffer is empty, the body is done, or the reader paused. */
    void take(ByteBuf in) {
        while (flows() && !decoder.done()) {
            ByteBuf data = decoder.next(in);
            if (data == null) {
                break;
            }
            int n = data.readableBytes();
            received += n;
            Reader taker = reader;
            if (taker == null) {
                discarded += n;
                data.release();
            } else {
                touched = true;
                taker.data(data);
            }
        }
        if (decoder.done() && reader != null && !discarding) {
            Reader taker = reader;
            discarding = true;
            Trailers trailers = decoder.trailers();
            if (trailers != null) {
                taker.behind(trailers);
            }
            taker.end();
        }
    }

    /** Signals to the reader that it got all body bytes of one read. */
    void readComplete() {
        Reader taker = reader;
        if (taker != null) {
            taker.bodyReadComplete();
        }
    }

    /** Signals that the body will never be complete. */
    void fail() {
        if (broken || decoder.done()) {
            return;
        }
        broken = true;
        Reader taker = reader;
        if (taker != null) {
            reader = null;
            taker.broken();
        }
    }
}
