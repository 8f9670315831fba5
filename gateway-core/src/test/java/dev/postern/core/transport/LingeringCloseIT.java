package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests closing with pending output, and after the client closed its output; {@link LingeringCloseTest} has the time limits. */
@ExtendWith(LeakExtension.class)
class LingeringCloseIT {

    private static final int SIZE = 48_000_000; // more than the capacity of the sockets between

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void closesOnlyWhenASlowReaderHasReadEverything(Transport.Kind kind) throws Exception {
        try (Server server = new Server(kind, Speaking::new);
                RawClient client = server.client()) {
            assertThat(client.readBytes(SIZE)).hasSize(SIZE);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void doesNotWaitForAClientThatClosed(Transport.Kind kind) throws Exception {
        Ended ended = new Ended();
        try (Server server = new Server(kind, () -> ended);
                RawClient client = server.client().finish()) {
            assertThat(client.closedByPeer()).isTrue();
            assertThat(ended.lingered.get(10, TimeUnit.SECONDS)).isFalse();
        }
    }

    private static final class Server implements AutoCloseable {

        private final EventLoopGroup loops;
        private final Channel channel;

        Server(Transport.Kind kind, Supplier<ChannelHandler> handler) {
            Transport transport = Transport.open(kind);
            loops = transport.eventLoops(1);
            channel = new ServerBootstrap()
                    .group(loops)
                    .channel(transport.serverChannel())
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel accepted) {
                            accepted.pipeline().addLast(handler.get());
                        }
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .syncUninterruptibly()
                    .channel();
        }

        RawClient client() {
            return new RawClient(((InetSocketAddress) channel.localAddress()).getPort());
        }

        @Override
        public void close() {
            channel.close();
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Writes everything at once and closes. */
    private static final class Speaking extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.writeAndFlush(ctx.alloc().directBuffer(SIZE).writeZero(SIZE));
            LingeringClose.close(ctx.channel());
        }
    }

    /** Closes after the client has closed its output, and records whether bytes were read after that. */
    private static final class Ended extends ChannelInboundHandlerAdapter {

        private final CompletableFuture<Boolean> lingered = new CompletableFuture<>();

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownEvent.INSTANCE) {
                ctx.channel()
                        .closeFuture()
                        .addListener(closed -> lingered.complete(ctx.pipeline().get(LingeringClose.class) != null));
                LingeringClose.close(ctx.channel());
            }
        }
    }
}
