package dev.postern.auth.spend.memcached.spy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class SpyConnectionsTest {

    private final EventLoop one = new EmbeddedChannel().eventLoop();
    private final EventLoop other = new EmbeddedChannel().eventLoop();

    @Test
    void distributesKeysOverSharedConnectionsOfAllLoops() {
        SpyConnections shared =
                new SpyConnections(3, new MemcachedEncoding("test", InstantSource.system()), Ticker.systemTicker());
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
}
