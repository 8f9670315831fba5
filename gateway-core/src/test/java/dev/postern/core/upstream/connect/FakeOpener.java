package dev.postern.core.upstream.connect;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Opener whose connects a test completes; those that it leaves alone time out. Connects have numbers from 1. */
public final class FakeOpener implements ChannelOpener {

    private final FakeLoops loops;
    private final List<Attempt> attempts = new ArrayList<>();

    public FakeOpener(FakeLoops loops) {
        this.loops = loops;
    }

    /** Attempt to connect. */
    public record Attempt(SocketAddress address, EmbeddedChannel channel, ChannelHandler handler, ChannelPromise done) {

        public void succeed() {
            done.setSuccess();
        }

        public void fail(Throwable cause) {
            channel.close();
            done.setFailure(cause);
        }
    }

    @Override
    public ChannelFuture open(EventLoop loop, SocketAddress address, Duration timeout, ChannelHandler handler) {
        EmbeddedChannel channel = loops.channel();
        ChannelPromise done = new DefaultChannelPromise(channel, loop);
        attempts.add(new Attempt(address, channel, handler, done));
        loop.schedule(() -> done.tryFailure(new ConnectTimeoutException()), timeout.toNanos(), TimeUnit.NANOSECONDS);
        return done;
    }

    /** Returns how many connects were begun. */
    public int count() {
        return attempts.size();
    }

    public Attempt attempt(int number) {
        return attempts.get(number - 1);
    }

    /** Returns the number of the connect that opened the channel. */
    public int number(Channel channel) {
        for (int i = 0; i < attempts.size(); i++) {
            if (attempts.get(i).channel() == channel) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("channel: " + channel + " (expected: one of this opener)");
    }
}
