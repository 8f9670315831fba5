package dev.postern.load.worker;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Echo destination on one port of loopback, over TCP and over UDP: sends back what it receives. One thread serves all connections, so
 * that their number does not change the number of threads. Ends with the process.
 */
public final class EchoDestination {
    private static final int MAX_WAITING = 4_096;
    private static final int LONGEST = 65_536;
    private static final int DATAGRAM_BUFFER = 4 << 20;

    private EchoDestination() {}

    public static void start(int port) {
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(2, new DefaultThreadFactory("echo", true), NioIoHandler.newFactory());
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        new ServerBootstrap()
                .group(loops.next())
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, MAX_WAITING)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Echo())
                .bind(here)
                .syncUninterruptibly();
        new Bootstrap()
                .group(loops.next())
                .channel(NioDatagramChannel.class)
                // The datagrams of all flows wait in this one socket.
                .option(ChannelOption.SO_RCVBUF, DATAGRAM_BUFFER)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(LONGEST))
                .handler(new Echo())
                .bind(here)
                .syncUninterruptibly();
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(
                    message instanceof DatagramPacket received
                            ? new DatagramPacket(received.content(), received.sender())
                            : message);
        }

        /** A reset is an end, too. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
