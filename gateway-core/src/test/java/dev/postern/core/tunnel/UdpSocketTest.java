package dev.postern.core.tunnel;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.LeakExtension;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests datagrams that leave as segments, with an embedded channel as socket. */
@ExtendWith(LeakExtension.class)
class UdpSocketTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Refusal refusal = new Refusal();
    private final Connected channel = new Connected(refusal);
    private final UdpSocket socket =
            new UdpSocket(channel, new DatagramMeters(registry).toDestination(), () -> {}, true);

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
        registry.close();
    }

    /** Channel with the address of a destination. */
    private static final class Connected extends EmbeddedChannel {

        Connected(Refusal refusal) {
            super(refusal);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress("127.0.0.1", 443);
        }
    }

    /** Socket's end of the pipeline that refuses segments. */
    private static final class Refusal extends ChannelOutboundHandlerAdapter {

        private @Nullable IOException cause;

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (cause != null && message instanceof SegmentedDatagramPacket) {
                ReferenceCountUtil.release(message);
                promise.setFailure(cause);
            } else {
                ctx.write(message, promise);
            }
        }
    }

    private void write(String... datagrams) {
        for (String datagram : datagrams) {
            socket.write(Unpooled.copiedBuffer(datagram, ISO_8859_1));
        }
    }

    /** Returns what was flushed, segments as {@code length:bytes}. */
    private List<String> sent() {
        List<String> all = new ArrayList<>();
        for (Object next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            if (next instanceof SegmentedDatagramPacket packet) {
                assertThat(packet.recipient()).isEqualTo(channel.remoteAddress());
                all.add(packet.segmentSize() + ":" + packet.content().toString(ISO_8859_1));
            } else {
                all.add(((ByteBuf) next).toString(ISO_8859_1));
            }
            ReferenceCountUtil.release(next);
        }
        return all;
    }

    private double failed() {
        return registry.get("postern.tunnel.datagrams")
                .tags("direction", "to-destination", "outcome", "failed")
                .functionCounter()
                .count();
    }

    @Test
    void sendsDatagramsOfOneLengthAsSegments() {
        write("one", "two", "4", "three", "x".repeat(2_000), "x".repeat(2_000));
        assertThat(sent()).isEmpty();
        socket.flush();
        assertThat(sent()).containsExactly("3:onetwo4", "three", "x".repeat(2_000), "x".repeat(2_000));
    }

    @Test
    void sendsASingleDatagramAsItIs() {
        write("one");
        socket.flush();
        socket.flush();
        assertThat(sent()).containsExactly("one");
    }

    @Test
    void flushesSegmentsAtTheEndOfTheIteration() {
        write("one", "two");
        socket.flushSoon();
        channel.runPendingTasks();
        assertThat(sent()).containsExactly("3:onetwo");
    }

    @Test
    void anEmptyDatagramKeepsItsPlace() {
        write("one", "two", "");
        assertThat(sent()).as("before the empty one").containsExactly("3:onetwo");
    }

    @Test
    void sendsSingleDatagramsOnceSegmentsAreRefused() {
        refusal.cause = new IOException("sendmmsg(..) failed with error(-22): Invalid argument");
        write("one", "two", "4");
        socket.flush();
        assertThat(sent()).containsExactly("one", "two", "4");
        refusal.cause = null;
        write("five", "4444");
        socket.flush();
        assertThat(sent()).containsExactly("five", "4444");
        assertThat(failed()).isZero();
    }

    @Test
    void aDestinationWithoutAServerIsNoRefusal() {
        refusal.cause = new PortUnreachableException("port 443");
        write("one", "two");
        socket.flush();
        assertThatThrownBy(channel::checkException).isInstanceOf(PortUnreachableException.class);
        assertThat(sent()).isEmpty();
        assertThat(failed()).as("the tunnel's handler counts the other").isEqualTo(1);
    }

    @Test
    void countsWhatAClosedChannelDoesNotTake() {
        write("one", "two");
        channel.close();
        socket.close();
        assertThat(failed()).isEqualTo(2);
        assertThat(sent()).isEmpty();
    }
}
