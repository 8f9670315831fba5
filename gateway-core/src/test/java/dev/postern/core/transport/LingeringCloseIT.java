package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.transport.LingerBudget.Limits;
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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests closing with pending output, after the client closed its output, and how long a client can hold the connection. */
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

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void closesAClientThatIsSilent(Transport.Kind kind) throws Exception {
        Limits brief = new Limits(Duration.ofMillis(50), Duration.ofMinutes(1), 1 << 20);
        Brief handler = new Brief(brief);
        try (Server server = new Server(kind, () -> handler);
                RawClient client = server.client()) {
            assertThat(client.closedByPeer()).isTrue(); // its output has ended
            assertThat(handler.closed.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void closesAClientThatSendsTooLong(Transport.Kind kind) throws Exception {
        Limits brief = new Limits(Duration.ofMinutes(1), Duration.ofMillis(50), 1 << 20);
        try (Server server = new Server(kind, () -> new Brief(brief));
                RawClient client = server.client()) {
            client.awaitReset(); // sends a byte from time to time
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING", "NIO"})
    void closesAClientThatSendsTooMuch(Transport.Kind kind) throws Exception {
        Limits small = new Limits(Duration.ofMinutes(1), Duration.ofMinutes(1), 1000);
        try (Server server = new Server(kind, () -> new Brief(small));
                RawClient client = server.client()) {
            assertThat(client.send("x".repeat(999)).closedByPeer()).isTrue();
            client.send("x");
            client.awaitReset();
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

    /** Closes at once, and lingers that long. */
    private static final class Brief extends ChannelInboundHandlerAdapter {

        private final Limits limits;
        private final CompletableFuture<Boolean> closed = new CompletableFuture<>();

        Brief(Limits limits) {
            this.limits = limits;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ctx.channel().closeFuture().addListener(done -> closed.complete(true));
            LingeringClose.close(ctx.channel(), limits);
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
