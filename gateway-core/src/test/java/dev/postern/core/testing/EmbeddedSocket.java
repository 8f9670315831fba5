package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Ticker;

/** Embedded channel with the two directions of a socket, each of which ends alone; a test decides whether the peer takes bytes. */
public final class EmbeddedSocket extends EmbeddedChannel implements DuplexChannel {

    private boolean full;
    private boolean inputShutdown;
    private boolean outputShutdown;

    /** @param ticker of the loop */
    public EmbeddedSocket(Ticker ticker, ChannelHandler... handlers) {
        super(EmbeddedChannel.builder().ticker(ticker).handlers(handlers));
    }

    /** @param listening the channel that accepted this one */
    public EmbeddedSocket(Channel listening, Ticker ticker) {
        super(EmbeddedChannel.builder().parent(listening).ticker(ticker));
    }

    /** Lets the peer take no bytes. */
    public void fill() {
        full = true;
    }

    /** Lets the peer take all bytes, also those that wait. */
    public void drain() {
        full = false;
        flush();
        runPendingTasks();
    }

    /** Ends what the peer sends. */
    public void endInput() {
        inputShutdown = true;
        pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    /** Returns the bytes that the peer has taken since the last call. */
    public String taken() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf next = readOutbound(); next != null; next = readOutbound()) {
            all.append(next.toString(ISO_8859_1));
            next.release();
        }
        return all.toString();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        if (!full) {
            super.doWrite(in);
        }
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        outputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        inputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        inputShutdown = true;
        outputShutdown = true;
        return promise.setSuccess();
    }
}
