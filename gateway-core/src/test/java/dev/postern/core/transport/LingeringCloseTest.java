package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.LeakExtension;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests a close that lets the client read its response, though it still sends. */
@ExtendWith(LeakExtension.class)
class LingeringCloseTest {

    private static final LingeringClose.LingerBudget.Limits LIMITS = LingeringClose.LingerBudget.DEFAULT;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedSocket socket = new EmbeddedSocket(ticker);

    @AfterEach
    void close() {
        socket.drain();
        socket.finishAndReleaseAll();
    }

    private void respond() {
        socket.write(Unpooled.copiedBuffer("response", StandardCharsets.ISO_8859_1));
        LingeringClose.close(socket);
    }

    private void receive(int bytes) {
        ByteBuf data = Unpooled.wrappedBuffer(new byte[bytes]);
        socket.pipeline().fireChannelRead(data);
        socket.pipeline().fireChannelReadComplete();
        assertThat(data.refCnt()).as("dropped").isZero();
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        socket.runScheduledPendingTasks();
    }

    @Test
    void endsTheOutputBehindTheResponseAndReadsOn() {
        respond();
        assertThat(socket.taken()).isEqualTo("response");
        assertThat(socket.isOutputShutdown()).isTrue();
        assertThat(socket.isOpen()).isTrue();
        receive(1000);
        assertThat(socket.isOpen()).isTrue();
        socket.endInput();
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void waitsForASlowReaderOfTheResponse() {
        socket.config().setAutoRead(false);
        socket.fill();
        respond();
        assertThat(socket.config().isAutoRead())
                .as("it may read nothing before it has sent all")
                .isTrue();
        pass(Duration.ofMinutes(1));
        receive(1000);
        assertThat(socket.isOutputShutdown()).isFalse();
        assertThat(socket.isOpen()).isTrue();

        socket.drain();
        assertThat(socket.taken()).isEqualTo("response");
        assertThat(socket.isOutputShutdown()).isTrue();
    }

    @Test
    void aClientThatEndedItsOutputMeanwhileSendsNothingMore() {
        socket.fill();
        respond();
        socket.endInput();
        assertThat(socket.isOpen()).as("the response waits").isTrue();
        socket.drain();
        assertThat(socket.taken()).isEqualTo("response");
        assertThat(socket.isOpen()).isFalse();
        assertThat(socket.isOutputShutdown()).isFalse();
    }

    @Test
    void aClientThatHasEndedItsOutputIsClosedBehindTheResponse() {
        socket.endInput();
        socket.fill();
        respond();
        assertThat(socket.isOpen()).isTrue();
        socket.drain();
        assertThat(socket.taken()).isEqualTo("response");
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void aChannelWithoutTwoDirectionsIsClosedBehindTheResponse() {
        EmbeddedChannel plain = new EmbeddedChannel();
        plain.write(Unpooled.copiedBuffer("response", StandardCharsets.ISO_8859_1));
        LingeringClose.close(plain);
        ByteBuf sent = plain.readOutbound();
        assertThat(sent.readableBytes()).isEqualTo("response".length());
        sent.release();
        assertThat(plain.isOpen()).isFalse();
        plain.finishAndReleaseAll();
    }

    @Test
    void aChannelThatIsClosedStaysSo() {
        socket.close();
        LingeringClose.close(socket);
        assertThat(socket.pipeline().get(LingeringClose.class)).isNull();
    }

    @Test
    void aSecondCloseChangesNothing() {
        respond();
        pass(Duration.ofSeconds(4));
        LingeringClose.close(socket);
        pass(Duration.ofSeconds(1));
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void silenceEndsTheWait() {
        respond();
        pass(LIMITS.silence().minusNanos(1));
        assertThat(socket.isOpen()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void bytesProlongTheWaitWithinItsTotal() {
        respond();
        Duration step = LIMITS.silence().minusSeconds(1);
        Duration waited = Duration.ZERO;
        for (; waited.plus(step).compareTo(LIMITS.total()) < 0; waited = waited.plus(step)) {
            pass(step);
            receive(1);
            assertThat(socket.isOpen()).isTrue();
        }
        pass(LIMITS.total().minus(waited));
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void aClientThatSendsWithoutEndIsClosed() {
        LingeringClose.close(socket, new LingeringClose.LingerBudget.Limits(LIMITS.silence(), LIMITS.total(), 1000));
        receive(999);
        assertThat(socket.isOpen()).isTrue();
        receive(2);
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void aClientThatSendsTooMuchBeforeItReadsIsNotReadAnyMore() {
        socket.fill();
        socket.write(Unpooled.copiedBuffer("response", StandardCharsets.ISO_8859_1));
        LingeringClose.close(socket, new LingeringClose.LingerBudget.Limits(LIMITS.silence(), LIMITS.total(), 1000));
        receive(1001);
        assertThat(socket.config().isAutoRead()).isFalse();
        assertThat(socket.isOpen()).as("the response may still arrive").isTrue();
        socket.drain();
        assertThat(socket.taken()).isEqualTo("response");
        assertThat(socket.config().isAutoRead()).isTrue();
    }

    @Test
    void aResetEndsTheWait() {
        respond();
        socket.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void keepsNoTimerOfAClosedConnection() {
        respond();
        socket.close();
        assertThat(socket.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void countsAmongTheLingeringConnectionsOfItsListener() {
        EmbeddedChannel listening = new EmbeddedChannel();
        LingeringConnections all = new LingeringConnections(() -> 0);
        all.follow(listening);
        EmbeddedSocket accepted = new EmbeddedSocket(listening, ticker);
        LingeringClose.close(accepted);
        assertThat(all.size()).isEqualTo(1);
        accepted.close();
        assertThat(all.size()).isZero();
        accepted.finishAndReleaseAll();
    }
}
