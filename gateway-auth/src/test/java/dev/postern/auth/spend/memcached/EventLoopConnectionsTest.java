package dev.postern.auth.spend.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.testing.LoopExtension;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EventLoopConnectionsTest {

    @RegisterExtension
    static final LoopExtension LOCAL = new LoopExtension();

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

    /** The loop serves channels within this process only, so it refuses a socket. */
    @Test
    void passesOnWhyAConnectionWasNotEstablished() throws Exception {
        EventLoopConnections own = new EventLoopConnections(List.of(one, LOCAL.loop()), encoding);
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        MarkedConnection marked = new MarkedConnection(new MarkedConnection.Listener() {
            @Override
            public void failed(Throwable cause) {
                failed.complete(cause);
            }
        });

        MemcachedConnection opened =
                own.opener(1).open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), marked);

        assertThat(failed.get(10, TimeUnit.SECONDS)).hasMessageContaining("incompatible event loop");
        assertThat(opened.connection()).isSameAs(marked);
        assertThat(opened.alive()).isFalse();
    }

    @Test
    void refusesOtherLoops() {
        EventLoopConnections own = new EventLoopConnections(List.of(one), encoding);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.of(new byte[16], other))
                .withMessage("an event loop that the ledger was not opened for");
    }
}
