package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when a vanished peer is noticed; that the kernel probes is tested with sockets. */
class TcpKeepAliveTest {

    @Test
    void noticesUpstreamsSoonAndClientsLater() {
        assertThat(TcpKeepAlive.NEAR.millis()).isEqualTo(19_000);
        assertThat(TcpKeepAlive.DISTANT.millis()).isEqualTo(120_000);
        assertThat(TcpKeepAlive.OFF.millis()).isZero();
    }

    @Test
    void channelsWithoutASocketHaveNone() {
        for (TcpKeepAlive keepAlive : List.of(TcpKeepAlive.NEAR, TcpKeepAlive.OFF)) {
            EmbeddedChannel channel = new EmbeddedChannel();
            keepAlive.apply(channel);
            assertThat(TcpKeepAlive.of(channel)).isEqualTo(TcpKeepAlive.OFF);
            assertThat(TcpKeepAlive.readBack(channel)).isEqualTo(TcpKeepAlive.OFF);
            new AcknowledgementLimit(channel).begin(1);
        }
    }
}
