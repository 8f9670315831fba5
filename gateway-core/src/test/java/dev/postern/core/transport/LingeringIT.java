package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing while something waits to be sent. */
@ExtendWith(LeakExtension.class)
class LingeringIT {

    private static final int SIZE = 48_000_000; // more than the sockets between take

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void closesOnlyWhenASlowReaderHasItAll(Transport.Kind kind) {
        Transport transport = Transport.open(kind);
        EventLoopGroup loops = transport.eventLoops(1);
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Speaking());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        try (RawClient client = new RawClient(((InetSocketAddress) server.localAddress()).getPort())) {
            assertThat(client.readBytes(SIZE)).hasSize(SIZE);
            assertThat(client.closedByPeer()).isTrue();
        } finally {
            server.close();
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Writes it all at once and closes. */
    private static final class Speaking extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(ctx.alloc().directBuffer(SIZE).writeZero(SIZE));
            Lingering.close(ctx.channel());
        }
    }
}
