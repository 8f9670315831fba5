package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLoopConnectionsTest {

    private final MemcachedEncoding encoding = new MemcachedEncoding("test", InstantSource.system());
    private final EventLoop one = new EmbeddedChannel().eventLoop();
    private final EventLoop other = new EmbeddedChannel().eventLoop();

    @Test
    void givesEachLoopItsOwnConnectionForAllKeys() {
        EventLoopConnections own = new EventLoopConnections(List.of(one, other), encoding);
        for (int first = 0; first < 256; first++) {
            byte[] key = new byte[16];
            key[0] = (byte) first;

            assertThat(own.of(key, one)).isZero();
            assertThat(own.of(key, other)).isEqualTo(1);
        }
        assertThat(own.count()).isEqualTo(2);
    }

    @Test
    void refusesOtherLoops() {
        EventLoopConnections own = new EventLoopConnections(List.of(one), encoding);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.of(new byte[16], other))
                .withMessage("an event loop that the ledger was not opened for");
    }
}
