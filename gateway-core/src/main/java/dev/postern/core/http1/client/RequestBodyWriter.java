package dev.postern.core.http1.client;

import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.codec.ChunkWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Writer of a request's body to a connection, in the framing that its head has; flushes nothing. Used by one connection at a time. */
final class RequestBodyWriter {

    /** Bytes up to which a chunk is copied into one buffer with its framing, instead of written as three buffers. */
    private static final int COPIED = 16 * 1024;

    private final Channel channel;
    private State state = State.DONE;

    /** State: which framing the rest of the body has. */
    private enum State {
        LENGTH,
        CHUNKED,
        DONE
    }

    RequestBodyWriter(Channel channel) {
        this.channel = channel;
    }

    /** Begins the body of a request with that head. */
    void begin(RequestHead head) {
        State framing = head.bodyLength() == RequestHead.CHUNKED ? State.CHUNKED : State.LENGTH;
        state = head.hasBody() ? framing : State.DONE;
    }

    /** Returns whether the whole request was written. */
    boolean done() {
        return state == State.DONE;
    }

    /** Writes a piece and takes over its buffer; drops it when the body is done. */
    void data(ByteBuf data) {
        int n = data.readableBytes();
        if (state == State.DONE || n == 0) {
            data.release();
        } else if (state == State.LENGTH) {
            channel.write(data, channel.voidPromise());
        } else if (n <= COPIED) {
            ByteBuf chunk = channel.alloc().directBuffer(n + ChunkWriter.FRAME);
            ChunkWriter.chunk(data, chunk);
            channel.write(chunk, channel.voidPromise());
        } else {
            ByteBuf frame = channel.alloc().directBuffer(16);
            ChunkWriter.size(n, frame);
            ByteBuf after = channel.alloc().directBuffer(2);
            ChunkWriter.end(after);
            channel.write(frame, channel.voidPromise());
            channel.write(data, channel.voidPromise());
            channel.write(after, channel.voidPromise());
        }
    }

    /** Ends the body. */
    void end() {
        if (state == State.CHUNKED) {
            ByteBuf last = channel.alloc().directBuffer(8);
            ChunkWriter.last(last);
            channel.write(last, channel.voidPromise());
        }
        state = State.DONE;
    }
}
