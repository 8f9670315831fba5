package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the measured time in which a client sends its head. */
class HeadReceiveTimeTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();

    HeadReceiveTimeTest() {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of());
        channel.pipeline()
                .addLast(new Http1ServerConnection(
                        TestLimits.CLIENT, () -> snapshot, client, new DrainState(), new HeadWriter(), reason -> {}));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    private long received() {
        Exchange exchange = channel.readInbound();
        assertThat(exchange).isNotNull();
        return exchange.timeline().nanos(StageName.RECEIVE);
    }

    @Test
    void aHeadInOnePieceTakesNoTime() {
        send("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");

        assertThat(received()).isZero();
    }

    @Test
    void aHeadInPiecesTakesFromTheFirstToTheLast() {
        send("GET / HTTP/1.1\r\nHo");
        send("st: a.example\r\n\r\n");

        assertThat(received()).isPositive();
    }

    @Test
    void measuresTheNextHeadSeparately() {
        send("GET / HTTP/1.1\r\nHo");
        send("st: a.example\r\n\r\nGET / HTTP/1.1\r\nHost: a.example\r\n\r\n");

        assertThat(received()).isPositive();
        assertThat(received()).isZero();
    }

    @Test
    void measuresARefusedHeadToo() {
        send("GET / HTTP/1.1\r\nHo");
        send("st : a.example\r\n\r\n");

        assertThat(received()).isPositive();
    }
}
