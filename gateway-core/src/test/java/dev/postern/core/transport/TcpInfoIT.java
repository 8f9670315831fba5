package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the counters of the kernel for real sockets. */
class TcpInfoIT {

    private final Transport transport = Transport.open(Transport.Kind.EPOLL);
    private final EventLoopGroup loops = transport.eventLoops(1);
    private final Channel server = new ServerBootstrap()
            .group(loops)
            .channel(transport.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 7)
            .childHandler(new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new Echo());
                }
            })
            .bind(new InetSocketAddress("127.0.0.1", 0))
            .syncUninterruptibly()
            .channel();

    private static final class Echo extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }

    @AfterEach
    void close() {
        loops.shutdownGracefully().syncUninterruptibly();
    }

    private Channel connect() {
        return new Bootstrap()
                .group(loops)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.localAddress())
                .syncUninterruptibly()
                .channel();
    }

    @Test
    void countsSegmentsWithData() {
        Channel client = connect();
        assertThat(TcpInfo.of(client)).extracting(TcpInfo::dataSegmentsOut).isEqualTo(0L);
        for (int i = 0; i < 3; i++) {
            client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {1})).syncUninterruptibly();
        }
        assertThat(TcpInfo.of(client)).satisfies(info -> {
            assertThat(info.dataSegmentsOut()).isEqualTo(3);
            assertThat(info.retransmitted()).isZero();
            assertThat(info.roundTripMicros()).isPositive();
        });
    }

    @Test
    void reportsTheBacklogOfAListeningSocket() {
        assertThat(TcpInfo.of(server)).extracting(TcpInfo::backlog).isEqualTo(7);
        SocketOptionsMonitor monitor = new SocketOptionsMonitor();
        monitor.listening("listener web", server);
        assertThat(monitor.backlogs()).containsExactly(new SocketOptionsMonitor.Backlog("listener web", 7, 7));
        server.close().syncUninterruptibly();
        assertThat(monitor.backlogs()).isEmpty();
    }

    @Test
    void isAbsentForClosedAndEmbeddedChannels() {
        Channel client = connect();
        client.close().syncUninterruptibly();
        assertThat(TcpInfo.of(client)).isNull();
        assertThat(TcpInfo.of(new EmbeddedChannel())).isNull();
    }

    @Test
    void monitorsOpenSockets() {
        SocketOptionsMonitor monitor = new SocketOptionsMonitor();
        SocketOptions good = new SocketOptions(true, "", 0, TcpKeepAlive.OFF, ByteBufAllocator.DEFAULT);
        Channel first = connect();
        Channel second = connect();
        monitor.apply("upstream app", good, first);
        monitor.apply("upstream app", good, second);
        second.config().setOption(ChannelOption.TCP_NODELAY, false); // by other code, later
        assertThat(monitor.seen().get(0).found())
                .extracting(EffectiveSocketOptions::noDelay)
                .containsExactly(true, false);
        first.close().syncUninterruptibly();
        second.close().syncUninterruptibly();
        assertThat(monitor.seen().get(0).found()).hasSize(1);
    }
}
