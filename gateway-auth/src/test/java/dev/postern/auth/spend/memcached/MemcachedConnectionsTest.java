package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemcachedConnectionsTest {

    private final MemcachedEncoding keys = new MemcachedEncoding("test", InstantSource.system());
    private final EventLoop one = new EmbeddedChannel().eventLoop();
    private final EventLoop other = new EmbeddedChannel().eventLoop();

    @Test
    void spreadsKeysOverSharedConnectionsWhicheverLoopAsks() {
        MemcachedConnections shared = new MemcachedConnections.Shared(3, keys);
        int[] used = new int[shared.count()];
        for (int first = 0; first < 256; first++) {
            byte[] key = new byte[16];
            key[0] = (byte) first;

            int total = shared.of(key, one);

            used[total]++;
            assertThat(shared.of(key, other)).isEqualTo(total);
        }
        assertThat(used).hasSize(3).doesNotContain(0);
    }

    @Test
    void givesEachLoopItsOwnWhicheverTheKey() {
        MemcachedConnections own = new MemcachedConnections.OfLoops(List.of(one, other), keys);
        for (int first = 0; first < 256; first++) {
            byte[] key = new byte[16];
            key[0] = (byte) first;

            assertThat(own.of(key, one)).isZero();
            assertThat(own.of(key, other)).isEqualTo(1);
        }
        assertThat(own.count()).isEqualTo(2);
    }

    @Test
    void knowsNoOtherLoops() {
        MemcachedConnections own = new MemcachedConnections.OfLoops(List.of(one), keys);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.of(new byte[16], other))
                .withMessage("an event loop that the ledger was not opened for");
    }
}
