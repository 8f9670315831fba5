package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportKindIT {

    @ParameterizedTest
    @CsvSource({"EPOLL, epoll", "IO_URING, io_uring", "NIO, nio"})
    void findsTheKindOfAnEventLoop(Transport.Kind kind, String name) {
        Transport transport = Transport.open(kind);
        EventLoopGroup loops = transport.eventLoops(1);
        try {
            assertThat(Transport.channelOf(Transport.loopsOf(loops).get(0))).isEqualTo(transport.channel());
            assertThat(transport.name()).isEqualTo(name);
            assertThat(transport.why()).isEqualTo("as configured");
        } finally {
            loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
