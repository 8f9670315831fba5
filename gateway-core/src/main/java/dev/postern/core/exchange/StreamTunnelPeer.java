package dev.postern.core.exchange;

import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Tunnel peer over a stream of the client (RFC 9113 section 8.5): reads from the body of the request and writes to the body of the
 * response. Each direction ends separately; the exchange ends with the later one. Event loop only.
 */
public final class StreamTunnelPeer implements TunnelPeer, RequestBody.Reader {

    private final Exchange exchange;
    private final ResponseSink response;
    private @Nullable Taker taker;

    public StreamTunnelPeer(Exchange exchange) {
        this.exchange = exchange;
        this.response = exchange.response();
    }

    @Override
    public void begin(Taker receiver) {
        taker = receiver;
        response.onWritable(receiver::writable);
        exchange.body().read(this);
        exchange.whenEnded(ended -> receiver.gone());
    }

    /** Signals to the tunnel that the gateway stops. */
    public void drain() {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.draining();
        }
    }

    @Override
    public void write(ByteBuf data) {
        response.data(data);
    }

    @Override
    public void flush() {
        response.flush();
    }

    @Override
    public boolean writable() {
        return response.writable();
    }

    @Override
    public void pause() {
        exchange.body().pause();
    }

    @Override
    public void resume() {
        exchange.body().resume();
    }

    @Override
    public void finish() {
        response.halfClose();
    }

    @Override
    public void close() {
        response.cut();
    }

    @Override
    public void complete() {
        response.end();
    }

    @Override
    public void reject() {
        response.cutMalformed();
    }

    @Override
    public EventLoop loop() {
        return exchange.loop();
    }

    @Override
    public void data(ByteBuf data) {
        Taker receiver = taker;
        if (receiver == null) {
            data.release();
            return;
        }
        exchange.outcome().addBytesIn(data.readableBytes());
        receiver.data(data);
    }

    @Override
    public void bodyReadComplete() {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.readComplete();
        }
    }

    @Override
    public void end() {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.finished();
        }
    }

    @Override
    public void broken() {
        Taker receiver = taker;
        if (receiver != null) {
            receiver.gone();
        }
    }
}
