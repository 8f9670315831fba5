package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.transport.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the kernel cuts the segments of both families and of each transport into the datagrams that were written, in order. */
@ExtendWith(LeakExtension.class)
class UdpSegmentsIT {

    @ParameterizedTest
    @CsvSource({"EPOLL, 127.0.0.1", "EPOLL, ::1", "NIO, 127.0.0.1"})
    void arriveAsTheDatagramsThatWereWritten(Transport.Kind kind, String address) throws Exception {
        List<String> datagrams = new ArrayList<>();
        for (int size : List.of(1, 3, 1_200, 1_452, 1_453, 20)) {
            for (int i = 0; i < 40; i++) {
                datagrams.add(String.valueOf((char) ('A' + i)).repeat(i % 15 == 14 ? Math.max(1, size / 2) : size));
            }
        }
        Transport transport = Transport.open(kind);
        EventLoopGroup loops = transport.eventLoops(1);
        try (DatagramSocket server = new DatagramSocket(new InetSocketAddress(InetAddress.getByName(address), 0))) {
            server.setReceiveBufferSize(4 * 1024 * 1024);
            server.setSoTimeout(20_000);
            Channel channel = new UdpConnector(transport, PooledByteBufAllocator.DEFAULT)
                    .connect(loops.next(), new InetSocketAddress(address, server.getLocalPort()))
                    .sync()
                    .channel();
            UdpSocket socket =
                    new UdpSocket(channel, new DatagramMeters(new SimpleMeterRegistry()).toDestination(), () -> {});
            for (int begin = 0; begin < datagrams.size(); begin += 40) {
                List<String> some = datagrams.subList(begin, begin + 40);
                channel.eventLoop().submit(() -> {
                    some.forEach(datagram -> socket.write(Unpooled.copiedBuffer(datagram, ISO_8859_1)));
                    socket.flushSoon();
                });
                for (String datagram : some) {
                    DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
                    server.receive(packet);
                    assertThat(new String(packet.getData(), 0, packet.getLength(), ISO_8859_1))
                            .isEqualTo(datagram);
                }
            }
            channel.close().sync();
        } finally {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }
}
