package dev.postern.core.tunnel;

import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import java.net.InetSocketAddress;

/**
 * Opens UDP sockets that are connected to one destination: the kernel drops datagrams from every other address and port (RFC 9298 section
 * 3.1). Over epoll a socket reads several datagrams with one system call. Thread-safe.
 *
 * @param allocator of the buffers that datagrams are read into
 */
public record UdpConnector(Transport transport, ByteBufAllocator allocator) {

    /** Bytes for one datagram in a read buffer: the kernel cuts off what is longer. */
    private static final int MAX_DATAGRAM = 64 * 1024;

    /** Datagrams of one system call. Only the pages that the kernel writes to take memory. */
    private static final int BATCH = 8;

    /** Unwritten bytes of a socket beyond which datagrams wait in the tunnel's own queue, which drops the oldest. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(32 * 1024, 64 * 1024);

    /** Opens a socket that reads nothing until its autoRead is set. */
    public ChannelFuture connect(EventLoop loop, InetSocketAddress destination) {
        boolean batches = transport.datagramChannel() == EpollDatagramChannel.class;
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.datagramChannel())
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new FixedRecvByteBufAllocator(batches ? BATCH * MAX_DATAGRAM : MAX_DATAGRAM))
                .handler(new ChannelHandlerAdapter() {});
        if (batches) {
            bootstrap.option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, MAX_DATAGRAM);
        }
        return bootstrap.connect(destination);
    }
}
