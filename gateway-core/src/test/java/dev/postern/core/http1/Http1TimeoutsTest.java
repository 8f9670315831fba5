package dev.postern.core.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.TestLimits;
import dev.postern.core.transport.CidrSet;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the timeouts of a client connection of HTTP/1.1, on a loop whose time a test moves. */
@ExtendWith(LeakExtension.class)
class Http1TimeoutsTest {

    private static final Duration HEAD = Duration.ofSeconds(10);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final String GET = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();

    Http1TimeoutsTest() {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false);
        ClientConnection client =
                new ClientConnection(listener, channel.eventLoop(), InetAddress.getLoopbackAddress(), 4711, false);
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of());
        channel.pipeline()
                .addLast(new Http1ServerConnection(
                        TestLimits.HTTP1, () -> snapshot, client, new DrainState(), new HeadWriter(), reason -> {}));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void send(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    private Exchange exchange() {
        Exchange exchange = channel.readInbound();
        assertThat(exchange).isNotNull();
        return exchange;
    }

    @Test
    void refusesAHeadThatIsNotCompleteInTime() {
        send("GET / HT");
        pass(HEAD.minusNanos(1));
        send("TP/1.1\r\n");
        Exchange none = channel.readInbound();
        assertThat(none).isNull();

        pass(Duration.ofNanos(1));
        Exchange late = exchange();
        assertThat(late.fault()).isEqualTo(Refusal.REQUEST_TIMEOUT);
        assertThat(late.timeline().nanos(StageName.RECEIVE)).isEqualTo(HEAD.toNanos());
    }

    @Test
    void closesAConnectionWithoutARequest() {
        pass(KEEP_ALIVE.minusNanos(1));
        assertThat(channel.isOpen()).isTrue();

        pass(Duration.ofNanos(1));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void countsTheIdleTimeFromTheEndOfAResponse() {
        send(GET);
        exchange().refuse(Refusal.ROUTE_NOT_FOUND);
        channel.runPendingTasks();
        pass(KEEP_ALIVE.minusNanos(1));
        assertThat(channel.isOpen()).isTrue();
        send(GET);
        Exchange second = exchange();
        pass(KEEP_ALIVE.multipliedBy(3));
        assertThat(channel.isOpen()).as("an exchange is under way").isTrue();

        second.refuse(Refusal.ROUTE_NOT_FOUND);
        channel.runPendingTasks();
        pass(KEEP_ALIVE.minusNanos(1));
        assertThat(channel.isOpen()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(channel.isOpen()).isFalse();
    }
}
