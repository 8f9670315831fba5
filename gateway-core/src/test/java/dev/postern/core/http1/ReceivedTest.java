package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Listener;
import dev.postern.core.exchange.Stage;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.route.Policy;
import dev.postern.core.transport.Cidrs;
import dev.postern.core.transport.loop.Drain;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a client takes to say its head. */
class ReceivedTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();

    ReceivedTest() {
        Listener listener = new Listener("web", Listener.Mode.REVERSE, "", "", Cidrs.NONE, false);
        Client client = new Client(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        Policy policy = Policy.of(List.of());
        channel.pipeline()
                .addLast(new Http1Connection(
                        Http1Limits.DEFAULTS, () -> policy, client, new Drain(), new HeadWriter(), why -> {}));
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
        return exchange.timeline().nanos(Stage.RECEIVE);
    }

    @Test
    void whatComesAtOnceTakesNoTime() {
        send("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");

        assertThat(received()).isZero();
    }

    @Test
    void whatComesInPiecesTakesFromTheFirstToTheLast() {
        send("GET / HTTP/1.1\r\nHo");
        send("st: a.example\r\n\r\n");

        assertThat(received()).isPositive();
    }

    @Test
    void theNextHeadHasItsOwnTime() {
        send("GET / HTTP/1.1\r\nHo");
        send("st: a.example\r\n\r\nGET / HTTP/1.1\r\nHost: a.example\r\n\r\n");

        assertThat(received()).isPositive();
        assertThat(received()).isZero();
    }

    @Test
    void whatIsRefusedInItsSecondPieceTookItsTimeToo() {
        send("GET / HTTP/1.1\r\nHo");
        send("st : a.example\r\n\r\n");

        assertThat(received()).isPositive();
    }
}
