package dev.postern.core.tunnel;

import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.upstream.connect.UpstreamResponseHandler;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Peer of a tunnel over a stream to an upstream (RFC 8441 section 5). When the upstream ends the stream, the tunnel ends. Event loop only.
 */
public final class UpstreamTunnelPeer implements TunnelPeer {

    private final UpstreamStream stream;
    private final EventLoop loop;
    private @Nullable Taker taker;
    private boolean finished;

    /** Takes over the stream's events; no data is read until the tunnel begins. */
    public UpstreamTunnelPeer(UpstreamStream stream, EventLoop loop) {
        this.stream = stream;
        this.loop = loop;
        stream.pause();
        stream.expectNothing();
        stream.hand(new StreamHandler());
    }

    @Override
    public void begin(Taker receiver) {
        taker = receiver;
        if (finished) {
            receiver.gone();
        } else {
            stream.resume();
        }
    }

    @Override
    public void write(ByteBuf data) {
        stream.body(data);
    }

    @Override
    public void flush() {
        stream.flush();
    }

    @Override
    public boolean writable() {
        return stream.writable();
    }

    @Override
    public void pause() {
        stream.pause();
    }

    @Override
    public void resume() {
        stream.resume();
    }

    @Override
    public void finish() {
        if (!finished) {
            stream.bodyEnd();
        }
    }

    @Override
    public void close() {
        if (!finished) {
            finished = true;
            stream.abort();
        }
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    /** Receives the tunnel's data, which is no longer a response. */
    private final class StreamHandler implements UpstreamResponseHandler {

        @Override
        public void content(ByteBuf data) {
            Taker receiver = taker;
            if (receiver == null) {
                data.release();
            } else {
                receiver.data(data);
            }
        }

        @Override
        public void readComplete() {
            Taker receiver = taker;
            if (receiver != null) {
                receiver.readComplete();
            }
        }

        @Override
        public void writable() {
            Taker receiver = taker;
            if (receiver != null) {
                receiver.writable();
            }
        }

        @Override
        public void complete() {
            finished = true;
            Taker receiver = taker;
            if (receiver != null) {
                receiver.completed();
            }
        }

        @Override
        public void failed(Refusal refusal, boolean silent) {
            finished = true;
            Taker receiver = taker;
            if (receiver != null) {
                receiver.gone();
            }
        }

        @Override
        public void interim(ResponseHead head) {}

        @Override
        public void head(ResponseHead head) {}

        @Override
        public void late() {}
    }
}
