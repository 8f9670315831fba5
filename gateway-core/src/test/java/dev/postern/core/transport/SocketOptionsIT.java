package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(names = {"EPOLL", "IO_URING"})
class SocketOptionsIT {

    private final ServerSocket server = listen();
    private final Transport transport;
    private final EventLoopGroup loops;

    SocketOptionsIT(Transport.Kind kind) {
        transport = Transport.open(kind);
        loops = transport.eventLoops(1);
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private Channel connect() {
        return new Bootstrap()
                .group(loops)
                .channel(transport.channel())
                .handler(new ChannelInboundHandlerAdapter())
                .connect(server.getLocalSocketAddress())
                .syncUninterruptibly()
                .channel();
    }

    @Test
    void limitsTheTimeWithoutAcknowledgement() {
        Channel channel = connect();
        assertThat(SocketOptions.userTimeout(channel)).isZero();
        SocketOptions.userTimeout(channel, Duration.ofSeconds(60));
        assertThat(SocketOptions.userTimeout(channel)).isEqualTo(60_000);
        SocketOptions.userTimeout(channel, Duration.ofMillis(100));
        assertThat(SocketOptions.userTimeout(channel))
                .as("a loss of packets is no end")
                .isEqualTo(20_000);
        channel.close().syncUninterruptibly();
    }

    @Test
    void probesSilentConnections() {
        Channel channel = connect();
        assertThat(TcpKeepAlive.readBack(channel)).isEqualTo(TcpKeepAlive.OFF);
        TcpKeepAlive.OFF.apply(channel);
        assertThat(TcpKeepAlive.readBack(channel)).isEqualTo(TcpKeepAlive.OFF);
        TcpKeepAlive.NEAR.apply(channel);
        assertThat(TcpKeepAlive.readBack(channel)).isEqualTo(TcpKeepAlive.NEAR);
        channel.close().syncUninterruptibly();
    }

    /** Requests that fit into any window are limited, others and tunnels are not; nor is a connection without keep-alive. */
    @Test
    void limitsTheTimeOfAcknowledgementsOfShortRequests() {
        Channel channel = connect();
        TcpKeepAlive.NEAR.apply(channel);
        AcknowledgementLimit limit = new AcknowledgementLimit(channel);
        limit.begin(0);
        assertThat(SocketOptions.userTimeout(channel)).isEqualTo(19_000);
        limit.begin(16_384);
        assertThat(SocketOptions.userTimeout(channel)).isEqualTo(19_000);
        limit.begin(-1);
        assertThat(SocketOptions.userTimeout(channel)).isZero();
        limit.begin(0);
        limit.begin(16_385);
        assertThat(SocketOptions.userTimeout(channel)).isZero();
        channel.close().syncUninterruptibly();
        limit.begin(0);

        Channel without = connect();
        new AcknowledgementLimit(without).begin(0);
        assertThat(SocketOptions.userTimeout(without)).isZero();
    }

    @Test
    void acceptedConnectionsHaveTheProbesOfTheirListeningSocket() throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        Channel listening = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accepted.complete(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        TcpKeepAlive.DISTANT.apply(listening);
        int port = ((InetSocketAddress) listening.localAddress()).getPort();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(client.isConnected()).isTrue();
            assertThat(TcpKeepAlive.readBack(accepted.get(60, TimeUnit.SECONDS)))
                    .isEqualTo(TcpKeepAlive.DISTANT);
        }
        listening.close().syncUninterruptibly();
    }

    private static List<String> kernel(String file) {
        try {
            return List.of(Files.readString(Path.of("/proc/sys/net/ipv4/" + file))
                    .trim()
                    .split(" "));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SocketOptions with(boolean noDelay, String congestionControl) {
        return new SocketOptions(noDelay, congestionControl, 0, TcpKeepAlive.OFF, PooledByteBufAllocator.DEFAULT);
    }

    @Test
    void setsACongestionControlOtherThanTheSystemsAndReadsItBack() {
        String system = kernel("tcp_congestion_control").get(0);
        String other = kernel("tcp_allowed_congestion_control").stream()
                .filter(c -> !c.equals(system))
                .findFirst()
                .orElseThrow();
        Channel channel = connect();
        assertThat(SocketOptions.readBack(channel).congestionControl()).isEqualTo(system);
        assertThat(with(true, other).apply(channel)).isTrue();
        assertThat(SocketOptions.readBack(channel)).satisfies(found -> {
            assertThat(found.noDelay()).isTrue();
            assertThat(found.congestionControl()).isEqualTo(other);
            assertThat(found.sendBuffer()).isPositive();
            assertThat(found.receiveBuffer()).isPositive();
        });
    }

    @Test
    void keepsTheSystemsCongestionControlWhenTheKernelDoesNotHaveIt() {
        Channel channel = connect();
        String system = kernel("tcp_congestion_control").get(0);
        assertThat(with(true, "nonesuch").apply(channel)).isFalse();
        assertThat(SocketOptions.readBack(channel).congestionControl()).isEqualTo(system);
    }

    @Test
    void enablesNagleWhenConfigured() {
        Channel channel = connect();
        with(false, "").apply(channel);
        assertThat(SocketOptions.readBack(channel).noDelay()).isFalse();
    }

    @Test
    void limitsTheUnsentBytesInTheKernelWhenConfigured() {
        Channel limited = connect();
        new SocketOptions(true, "", 4096, TcpKeepAlive.OFF, PooledByteBufAllocator.DEFAULT).apply(limited);
        assertThat(SocketOptions.readBack(limited).notSentLowWaterMark()).isEqualTo(4096);
        Channel unlimited = connect();
        with(true, "").apply(unlimited);
        assertThat(SocketOptions.readBack(unlimited).notSentLowWaterMark()).isZero();
    }

    @Test
    void recordsTheOptionsOfEachListenerAndUpstream() {
        SocketOptionsMonitor monitor = new SocketOptionsMonitor();
        monitor.apply("upstream app", with(true, ""), connect());
        assertThat(monitor.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.component()).isEqualTo("upstream app");
            assertThat(seen.found()).hasSize(1).allMatch(EffectiveSocketOptions::noDelay);
        });
    }
}
