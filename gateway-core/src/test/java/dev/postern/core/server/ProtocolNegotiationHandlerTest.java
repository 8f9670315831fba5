package dev.postern.core.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.ManualChannel;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which codec a connection in clear text gets by its first bytes, and how long the gateway waits for them. */
@ExtendWith(LeakExtension.class)
class ProtocolNegotiationHandlerTest {

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final ManualChannel channel = new ManualChannel();
    private final StringBuilder read = new StringBuilder();

    ProtocolNegotiationHandlerTest() {
        channel.pipeline()
                .addLast(new ProtocolNegotiationHandler(
                        new CodecFactory(() -> new Codec("1: "), () -> new Codec("2: ")), TestLimits.CLIENT));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** Codec that notes what it reads. */
    private final class Codec extends ChannelInboundHandlerAdapter {

        Codec(String version) {
            read.append(version);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ByteBuf in = (ByteBuf) message;
            read.append(in.toString(ISO_8859_1));
            in.release();
        }
    }

    private void send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"G", "GET / HTTP/1.1\r\n", "PUT", "PRI * HTTP/1.1\r\n", "\r\n"})
    void aByteThatBeginsNoPrefaceChoosesHttp1(String bytes) {
        send(bytes);
        send("more");

        assertThat(read).hasToString("1: " + bytes + "more");
    }

    @Test
    void aPrefaceChoosesHttp2() {
        send(PREFACE + "frames");

        assertThat(read).hasToString("2: " + PREFACE + "frames");
    }

    @Test
    void aPrefaceMayArriveByteByByte() {
        for (int i = 0; i < PREFACE.length(); i++) {
            assertThat(read).isEmpty();
            send(PREFACE.substring(i, i + 1));
        }

        assertThat(read).hasToString("2: " + PREFACE);
    }

    @Test
    void aPartOfAPrefaceThatGoesOnOtherwiseIsHttp1() {
        send("PRI * HT");
        send("ML");

        assertThat(read).hasToString("1: PRI * HTML");
    }

    @Test
    void aPartOfAPrefaceIsRefusedByHttp1AfterTheTimeOfAHead() {
        send("PR");
        channel.pass(TestLimits.CLIENT.headTimeout().minusNanos(1));
        send("I");
        assertThat(read).isEmpty();

        channel.pass(Duration.ofNanos(1));
        assertThat(read).as("no piece starts the time anew").hasToString("1: PRI");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void closesASilentConnection() {
        channel.pass(TestLimits.CLIENT.keepAliveTimeout().minusNanos(1));
        assertThat(channel.isOpen()).isTrue();

        channel.pass(Duration.ofNanos(1));
        assertThat(channel.isOpen()).isFalse();
        assertThat(read).isEmpty();
    }

    @Test
    void noTimeRunsBehindTheChoice() {
        send("GET");
        channel.pass(TestLimits.CLIENT.keepAliveTimeout().multipliedBy(2));

        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aClientThatEndsItsOutputBeforeAByteHasGone() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aClientThatEndsItsOutputWithinAPrefaceGetsAResponse() {
        send("PRI");
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);

        assertThat(read).hasToString("1: PRI");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aDrainLeavesASilentConnectionAMoment() {
        channel.pipeline().fireUserEventTriggered(DrainState.BEGUN);
        channel.pass(DrainState.PAUSE.minusNanos(1));
        assertThat(channel.isOpen()).isTrue();

        channel.pass(Duration.ofNanos(1));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aDrainLeavesAPartOfAPrefaceItsTime() {
        send("PRI");
        channel.pipeline().fireUserEventTriggered(DrainState.BEGUN);
        channel.pass(DrainState.PAUSE);
        assertThat(read).isEmpty();

        send(PREFACE.substring(3));
        assertThat(read).hasToString("2: " + PREFACE);
    }

    @Test
    void releasesWhatItHoldsAtTheEndOfTheConnection() {
        send("PRI");
        channel.close();

        assertThat(read).isEmpty();
    }
}
