package dev.postern.core.transport;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * How this process talks to the kernel, and why in this way.
 *
 * @param name {@code epoll} or {@code nio}
 * @param why the reason, for operators
 */
public record Transport(
        String name,
        String why,
        IoHandlerFactory handlers,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends SocketChannel> channel,
        Class<? extends DatagramChannel> datagramChannel) {

    /** What the operator asked for. */
    public enum Kind {
        AUTO,
        EPOLL,
        NIO
    }

    /** The transport of that kind; {@code AUTO} takes epoll where it loads. Throws {@link IllegalStateException} for one that can't be had. */
    public static Transport open(Kind kind) {
        if (kind == Kind.NIO) {
            return nio("as configured");
        }
        if (Epoll.isAvailable()) {
            return epoll(kind == Kind.AUTO ? "the native library loads" : "as configured");
        }
        String cause = String.valueOf(Epoll.unavailabilityCause());
        if (kind == Kind.EPOLL) {
            throw new IllegalStateException(
                    "transport.kind: epoll (expected: a native library that loads; " + cause + ")");
        }
        return nio("the native library of epoll does not load: " + cause);
    }

    /** The loops of a group, in their order. */
    public static List<EventLoop> loopsOf(EventLoopGroup group) {
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        return loops;
    }

    /** The kind of socket that such a loop serves. */
    public static Class<? extends SocketChannel> channelOf(EventLoop loop) {
        boolean epoll = loop instanceof IoEventLoop io && io.isCompatible(EpollIoHandle.class);
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** For sockets that are files; only a native transport has them. */
    public Class<? extends Channel> localChannel() {
        if (!isNative()) {
            throw new IllegalStateException(
                    "transport: " + name + " (expected: epoll, since Unix sockets are asked for)");
        }
        return EpollDomainSocketChannel.class;
    }

    public boolean isNative() {
        return name.equals("epoll");
    }

    /** A group of event loops; 0 for one per core. */
    public EventLoopGroup eventLoops(int loops) {
        int count = loops > 0 ? loops : Runtime.getRuntime().availableProcessors();
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("postern-loop"), handlers);
    }

    private static Transport epoll(String why) {
        return new Transport(
                "epoll",
                why,
                SteadyEpoll.newFactory(),
                EpollServerSocketChannel.class,
                EpollSocketChannel.class,
                EpollDatagramChannel.class);
    }

    private static Transport nio(String why) {
        return new Transport(
                "nio",
                why,
                NioIoHandler.newFactory(),
                NioServerSocketChannel.class,
                NioSocketChannel.class,
                NioDatagramChannel.class);
    }
}
