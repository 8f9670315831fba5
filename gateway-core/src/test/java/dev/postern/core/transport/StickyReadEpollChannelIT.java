package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.LeakExtension;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a socket that is not read and whose peer has closed its output: no event is pending, and the socket is still usable. */
@ExtendWith(LeakExtension.class)
class StickyReadEpollChannelIT {

    private static final int FEW_RUNS = 100;

    private final AtomicInteger runs = new AtomicInteger();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, executor -> new Counted(StickyReadEpollChannel.newFactory().newHandler(executor), runs));
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final List<Object> events = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final List<String> read = new CopyOnWriteArrayList<>();
    private Socket client;
    private Channel channel;

    /** Counts how often the event loop polls. */
    private record Counted(IoHandler delegate, AtomicInteger runs) implements IoHandler {

        @Override
        public void initialize() {
            delegate.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            runs.incrementAndGet();
            return delegate.run(context);
        }

        @Override
        public void prepareToDestroy() {
            delegate.prepareToDestroy();
        }

        @Override
        public void destroy() {
            delegate.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return delegate.register(handle);
        }

        @Override
        public void wakeup() {
            delegate.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> handle) {
            return delegate.isCompatible(handle);
        }
    }

    private final class Notes extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            accepted.add(ctx.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            read.add(in.toString(StandardCharsets.US_ASCII));
            in.release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            faults.add(cause);
        }
    }

    @BeforeEach
    void connect() throws IOException, InterruptedException {
        Channel server = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new io.netty.channel.ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel child) {
                        child.pipeline().addLast(new Notes());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        InetSocketAddress address = (InetSocketAddress) server.localAddress();
        client = new Socket(address.getAddress(), address.getPort());
        client.setSoTimeout(10_000);
        channel = accepted.poll(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private void awaitPeerShutdown() throws IOException {
        client.shutdownOutput();
        await().until(() -> events.contains(ChannelInputShutdownEvent.INSTANCE));
    }

    @Test
    void isReadAgainWithoutAFault() throws Exception {
        awaitPeerShutdown();
        channel.eventLoop().submit(() -> channel.config().setAutoRead(true)).sync();
        channel.eventLoop().submit(() -> channel.config().setAutoRead(false)).sync();
        channel.eventLoop().submit(() -> channel.config().setAutoRead(true)).sync();
        channel.writeAndFlush(ByteBufUtil.writeAscii(channel.alloc(), "still here"))
                .sync();
        assertThat(new String(client.getInputStream().readNBytes(10), StandardCharsets.US_ASCII))
                .isEqualTo("still here");
        assertThat(faults).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void isReadWhenItWasPausedInBetween() throws Exception {
        channel.eventLoop().submit(() -> channel.config().setAutoRead(true)).sync();
        client.getOutputStream().write('a');
        await().until(() -> read.equals(List.of("a")));
        channel.eventLoop().submit(() -> channel.config().setAutoRead(false)).sync();
        client.getOutputStream().write('b');
        channel.eventLoop().submit(() -> channel.config().setAutoRead(true)).sync();
        await().until(() -> String.join("", read).equals("ab"));
        assertThat(faults).isEmpty();
    }

    @Test
    void doesNotKeepTheLoopAwake() throws Exception {
        awaitPeerShutdown();
        // Both directions are closed: the kernel reports no further event.
        channel.eventLoop()
                .submit(() -> ((DuplexChannel) channel).shutdownOutput())
                .sync();
        int runsBefore = runs.get();
        channel.eventLoop().schedule(() -> {}, 300, TimeUnit.MILLISECONDS).sync();
        assertThat(runs.get() - runsBefore).isLessThan(FEW_RUNS);
        assertThat(faults).isEmpty();
    }
}
