package dev.postern.core.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.transport.CidrSet;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the timeouts of a client connection of HTTP/2 and of its streams, on a loop whose time a test moves. */
@ExtendWith(LeakExtension.class)
class StreamTimeoutSweeperTest {

    private static final Duration BODY_IDLE = TestLimits.HTTP1.bodyIdle();
    private static final Duration WINDOW = KeyDefaults.of(Http2Limits.class).windowTimeout();
    private static final Duration KEEP_ALIVE = TestLimits.HTTP1.keepAlive();

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final List<String> exceeded = new ArrayList<>();

    StreamTimeoutSweeperTest() {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of());
        channel.pipeline()
                .addLast(new Http2ServerConnection(
                        new Http2ServerConnection.Settings(
                                TestLimits.HTTP1,
                                KeyDefaults.of(Http2Limits.class),
                                (limit, of) -> exceeded.add(limit.label())),
                        () -> snapshot,
                        client,
                        new DrainState()));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    /** Sends the preface with settings, and acknowledges those of the gateway. */
    private void begin(byte... settings) {
        channel.writeInbound(Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ISO_8859_1));
        frame(FrameClient.SETTINGS, 0, 0, settings);
        frame(FrameClient.SETTINGS, FrameClient.ACK, 0);
    }

    private void frame(int type, int flags, int stream, byte... payload) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeMedium(payload.length).writeByte(type).writeByte(flags).writeInt(stream);
        channel.writeInbound(frame.writeBytes(payload));
        channel.runPendingTasks();
    }

    private Exchange request(int stream, String method, int flags) {
        frame(
                FrameClient.HEADERS,
                FrameClient.END_HEADERS | flags,
                stream,
                FieldBlock.of(":method", method, ":scheme", "http", ":path", "/", ":authority", "a.example"));
        Exchange exchange = channel.readInbound();
        assertThat(exchange).isNotNull();
        return exchange;
    }

    private void pass(Duration time) {
        long step = TimeUnit.SECONDS.toNanos(1);
        for (long left = time.toNanos(); left > 0; left -= step) {
            ticker.advance(Math.min(left, step), TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }

    /** Returns the types of the frames that the gateway sent. */
    private List<Integer> sent() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.writeBytes(next);
            next.release();
        }
        List<Integer> types = new ArrayList<>();
        while (all.isReadable()) {
            int length = all.readUnsignedMedium();
            types.add((int) all.readByte());
            all.skipBytes(5 + length);
        }
        return types;
    }

    @Test
    void refusesABodyThatDoesNotArrive() {
        begin();
        Exchange exchange = request(1, "POST", 0);
        exchange.body().read(new Discarding());
        pass(BODY_IDLE);
        assertThat(exchange.ended()).isFalse();

        pass(BODY_IDLE.dividedBy(2));
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.REQUEST_TIMEOUT);
    }

    @Test
    void keepsABodyThatArrivesInPieces() {
        begin();
        Exchange exchange = request(1, "POST", 0);
        exchange.body().read(new Discarding());
        for (int i = 0; i < 5; i++) {
            pass(BODY_IDLE.minusSeconds(1));
            frame(FrameClient.DATA, 0, 1, (byte) i);
        }

        assertThat(exchange.outcome().refusal()).isNull();
    }

    @Test
    void resetsAStreamWhoseWindowStaysShut() {
        begin((byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0); // INITIAL_WINDOW_SIZE 0
        Exchange exchange = request(1, "GET", FrameClient.END_STREAM);
        exchange.response().head(new ResponseHead().status(200));
        exchange.response().data(Unpooled.wrappedBuffer(new byte[100]));
        exchange.response().end();
        channel.runPendingTasks();
        pass(WINDOW);
        assertThat(sent()).doesNotContain(FrameClient.RST_STREAM);

        pass(WINDOW.dividedBy(2));
        assertThat(sent()).contains(FrameClient.RST_STREAM);
        assertThat(exchange.ended()).isTrue();
    }

    @Test
    void closesAConnectionWithoutStreams() {
        begin();
        pass(KEEP_ALIVE.minusNanos(1));
        assertThat(sent()).doesNotContain(FrameClient.GOAWAY);

        pass(Duration.ofNanos(1));
        assertThat(sent()).contains(FrameClient.GOAWAY);
        assertThat(exceeded).isEmpty();
    }

    @Test
    void closesAConnectionWhoseClientDoesNotAcknowledgeTheSettings() {
        channel.writeInbound(Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ISO_8859_1));
        frame(FrameClient.SETTINGS, 0, 0);
        pass(TestLimits.HTTP1.headTimeout().minusNanos(1));
        assertThat(sent()).doesNotContain(FrameClient.GOAWAY);

        pass(Duration.ofNanos(1));
        assertThat(sent()).contains(FrameClient.GOAWAY);
    }

    /** Reader that drops what arrives. */
    private static final class Discarding implements RequestBody.Reader {

        @Override
        public void data(ByteBuf data) {
            data.release();
        }

        @Override
        public void end() {}

        @Override
        public void broken() {}
    }
}
