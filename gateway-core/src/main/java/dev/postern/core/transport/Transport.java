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
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringDomainSocketChannel;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Transport of this process: the kernel interface for sockets, and why it was chosen.
 *
 * @param name {@code epoll}, {@code io_uring} or {@code nio}
 * @param why the reason, for operators
 * @param loops opens event loops that serve the channels
 * @param unixChannel channel type for Unix sockets; null where the transport has none
 */
public record Transport(
        String name,
        String why,
        LoopFactory loops,
        Class<? extends ServerChannel> serverChannel,
        Class<? extends DuplexChannel> channel,
        Class<? extends DatagramChannel> datagramChannel,
        @Nullable Class<? extends Channel> unixChannel) {

    /** Opens event loops for the channels of a transport. */
    @FunctionalInterface
    public interface LoopFactory {

        EventLoopGroup open(int count, ThreadFactory threads);
    }

    /** Opens event loops that wait for the kernel by the handlers. */
    public record IoLoops(IoHandlerFactory handlers) implements LoopFactory {

        @Override
        public EventLoopGroup open(int count, ThreadFactory threads) {
            return new MultiThreadIoEventLoopGroup(count, threads, handlers);
        }
    }

    /** Kind of transport in the configuration. */
    public enum Kind {
        AUTO,
        EPOLL,
        NIO,
        IO_URING
    }

    /**
     * Opens the transport of that kind; {@code AUTO} takes epoll where it loads. Throws {@link IllegalStateException} for an unavailable
     * one.
     */
    public static Transport open(Kind kind) {
        return switch (kind) {
            case AUTO ->
                Epoll.isAvailable()
                        ? epoll("the native library loads")
                        : nio("the native library of epoll does not load: "
                                + FailureText.of(Epoll.unavailabilityCause()));
            case EPOLL -> {
                require("epoll", Epoll.isAvailable(), "a native library that loads", Epoll.unavailabilityCause());
                yield epoll("as configured");
            }
            case IO_URING -> {
                String wanted = "a native library that loads, and a kernel and a container that allow io_uring";
                require("io-uring", IoUring.isAvailable(), wanted, IoUring.unavailabilityCause());
                yield ioUring("as configured");
            }
            case NIO -> nio("as configured");
        };
    }

    private static void require(String kind, boolean available, String wanted, @Nullable Throwable cause) {
        if (!available) {
            throw new IllegalStateException(
                    "transport.kind: " + kind + " (expected: " + wanted + "; " + FailureText.of(cause) + ")");
        }
    }

    /** Returns the event loops of a group, in their order. */
    public static List<EventLoop> loopsOf(EventLoopGroup group) {
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        return loops;
    }

    /** Returns the socket channel type that this event loop serves. */
    public static Class<? extends SocketChannel> channelOf(EventLoop loop) {
        IoEventLoop io = (IoEventLoop) loop;
        if (io.isCompatible(EpollIoHandle.class)) {
            return EpollSocketChannel.class;
        }
        return io.isCompatible(IoUringIoHandle.class) ? IoUringSocketChannel.class : NioSocketChannel.class;
    }

    /** Returns the channel type for Unix sockets; only a native transport has one. */
    public Class<? extends Channel> localChannel() {
        if (unixChannel == null) {
            throw new IllegalStateException("transport: " + name + " (expected: epoll or io_uring, for Unix sockets)");
        }
        return unixChannel;
    }

    public boolean isNative() {
        return unixChannel != null;
    }

    /** Creates a group of event loops; 0 for one per core. */
    public EventLoopGroup eventLoops(int wanted) {
        int count = wanted > 0 ? wanted : Runtime.getRuntime().availableProcessors();
        return loops.open(count, new DefaultThreadFactory("postern-loop"));
    }

    private static Transport epoll(String reason) {
        return new Transport(
                "epoll",
                reason,
                new IoLoops(StickyReadEpollChannel.newFactory()),
                EpollServerSocketChannel.class,
                EpollSocketChannel.class,
                EpollDatagramChannel.class,
                EpollDomainSocketChannel.class);
    }

    private static Transport ioUring(String reason) {
        return new Transport(
                "io_uring",
                reason,
                new IoLoops(IoUringIoHandler.newFactory()),
                IoUringServerSocketChannel.class,
                IoUringSocketChannel.class,
                IoUringDatagramChannel.class,
                IoUringDomainSocketChannel.class);
    }

    private static Transport nio(String reason) {
        return new Transport(
                "nio",
                reason,
                new IoLoops(NioIoHandler.newFactory()),
                NioServerSocketChannel.class,
                NioSocketChannel.class,
                NioDatagramChannel.class,
                null);
    }
}
