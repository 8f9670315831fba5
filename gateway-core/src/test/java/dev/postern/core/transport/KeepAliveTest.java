package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when a vanished peer is noticed; that the kernel probes is tested with sockets. */
class KeepAliveTest {

    @Test
    void noticesUpstreamsSoonAndClientsLater() {
        assertThat(KeepAlive.NEAR.millis()).isEqualTo(19_000);
        assertThat(KeepAlive.DISTANT.millis()).isEqualTo(120_000);
        assertThat(KeepAlive.OFF.millis()).isZero();
    }

    @Test
    void channelsWithoutASocketHaveNone() {
        for (KeepAlive keepAlive : List.of(KeepAlive.NEAR, KeepAlive.OFF)) {
            EmbeddedChannel channel = new EmbeddedChannel();
            keepAlive.apply(channel);
            assertThat(KeepAlive.of(channel)).isEqualTo(KeepAlive.OFF);
            assertThat(KeepAlive.readBack(channel)).isEqualTo(KeepAlive.OFF);
            new AcknowledgementLimit(channel).begin(1);
        }
    }
}
