package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of a tunnel that is a whole connection. */
@ExtendWith(LeakExtension.class)
class ChannelTunnelPeerTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedSocket socket = new EmbeddedSocket(ticker);
    private final ChannelTunnelPeer peer = new ChannelTunnelPeer(socket);
    private final List<String> heard = new ArrayList<>();

    @AfterEach
    void close() {
        socket.drain();
        socket.finishAndReleaseAll();
    }

    /** Other end, which notes what this one passes on. */
    private final class Recording implements TunnelPeer.Taker {

        @Override
        public void data(ByteBuf data) {
            heard.add(data.toString(StandardCharsets.ISO_8859_1));
            data.release();
        }

        @Override
        public void readComplete() {
            heard.add("read");
        }

        @Override
        public void writable() {
            heard.add("writable");
        }

        @Override
        public void finished() {
            heard.add("finished");
        }

        @Override
        public void draining() {
            heard.add("draining");
        }

        @Override
        public void gone() {
            heard.add("gone");
        }
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    private void pass(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            ticker.advance(1, TimeUnit.SECONDS);
            socket.runScheduledPendingTasks();
        }
    }

    @Test
    void passesOnWhatArrives() {
        peer.begin(new Recording());
        socket.writeInbound(text("data"));
        assertThat(heard).containsExactly("data", "read");
    }

    @Test
    void aConnectionThatIsClosedAlreadyIsGone() {
        socket.close();
        peer.begin(new Recording());
        assertThat(heard).contains("gone");
    }

    @Test
    void sendsAtTheFlush() {
        peer.begin(new Recording());
        peer.write(text("data"));
        assertThat(socket.taken()).isEmpty();
        peer.flush();
        assertThat(socket.taken()).isEqualTo("data");
        assertThat(peer.loop()).isSameAs(socket.eventLoop());
    }

    @Test
    void saysWhenItTakesBytesAgain() {
        peer.begin(new Recording());
        socket.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        assertThat(peer.writable()).isTrue();
        socket.fill();
        peer.write(text("data"));
        peer.flush();
        socket.runPendingTasks();
        assertThat(peer.writable()).isFalse();
        assertThat(heard).isEmpty();
        socket.drain();
        assertThat(peer.writable()).isTrue();
        assertThat(heard).containsExactly("writable");
    }

    @Test
    void pausesReading() {
        peer.begin(new Recording());
        peer.pause();
        assertThat(socket.config().isAutoRead()).isFalse();
        peer.resume();
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    // ---- ends

    @Test
    void theEndOfTheInputIsNotedOnce() {
        peer.begin(new Recording());
        socket.endInput();
        socket.endInput(); // the FIN behind a close_notify
        assertThat(heard).containsExactly("finished");
        assertThat(socket.isOpen()).isTrue();
        socket.pipeline().fireUserEventTriggered("another event");
        assertThat(heard).hasSize(1);
    }

    @Test
    void endsItsOutputBehindAllWrites() {
        peer.begin(new Recording());
        socket.fill();
        peer.write(text("last"));
        peer.finish();
        assertThat(socket.isOutputShutdown()).isFalse();
        socket.drain();
        assertThat(socket.taken()).isEqualTo("last");
        assertThat(socket.isOutputShutdown()).isTrue();
        assertThat(socket.isOpen()).as("the other direction goes on").isTrue();
    }

    @Test
    void bothEndsCloseTheConnection() {
        peer.begin(new Recording());
        socket.endInput();
        peer.finish();
        assertThat(socket.isOpen()).isFalse();
        assertThat(heard).containsExactly("finished", "gone");
    }

    @Test
    void anEndedInputThatNobodyNotedClosesTheConnectionToo() {
        socket.shutdownInput();
        peer.begin(new Recording());
        peer.finish();
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void closesBehindAllWrites() {
        peer.begin(new Recording());
        socket.fill();
        peer.write(text("last"));
        peer.close();
        peer.close();
        assertThat(socket.isOpen()).isTrue();
        socket.drain();
        assertThat(socket.taken()).isEqualTo("last");
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void resetsAPeerThatDoesNotTakeTheLastBytes() {
        peer.begin(new Recording());
        socket.fill();
        peer.write(text("last"));
        peer.close();
        pass(Duration.ofSeconds(9));
        assertThat(socket.isOpen()).isTrue();
        pass(Duration.ofSeconds(3));
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void keepsNoTimerWithoutPendingBytes() {
        peer.begin(new Recording());
        peer.close();
        assertThat(socket.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void anErrorClosesTheConnection() {
        peer.begin(new Recording());
        socket.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        assertThat(socket.isOpen()).isFalse();
        assertThat(heard).containsExactly("gone");
    }

    @Test
    void saysThatTheGatewayStops() {
        peer.begin(new Recording());
        socket.pipeline().fireUserEventTriggered(DrainState.BEGUN);
        assertThat(heard).containsExactly("draining");
    }

    @Test
    void aChannelWithoutTwoDirectionsIsNotHalfClosed() {
        EmbeddedChannel plain = new EmbeddedChannel();
        ChannelTunnelPeer whole = new ChannelTunnelPeer(plain);
        whole.begin(new Recording());
        whole.finish();
        assertThat(plain.isOpen()).isTrue();
        plain.finishAndReleaseAll();
    }
}
