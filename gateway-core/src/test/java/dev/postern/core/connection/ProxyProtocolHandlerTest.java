package dev.postern.core.connection;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.transport.loop.DrainState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests how a connection begins behind a load balancer, with the time of a test. */
@ExtendWith(LeakExtension.class)
class ProxyProtocolHandlerTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String HEADER = "PROXY TCP4 192.0.2.1 198.51.100.1 1024 443\r\n";

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<String> clients = new ArrayList<>();
    private boolean admits = true;
    private int refused;
    private final EmbeddedSocket socket =
            new EmbeddedSocket(ticker, new ProxyProtocolHandler(TIMEOUT, header -> admitted(header), () -> refused++));

    @AfterEach
    void close() {
        socket.finishAndReleaseAll();
    }

    private boolean admitted(ProxyProtocolHeader header) {
        clients.add(header.source() == null ? "none" : NetUtil.toSocketAddressString(header.source()));
        return admits;
    }

    private void receive(String text) {
        socket.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
    }

    private void pass(Duration time) {
        ticker.advance(time.toNanos(), TimeUnit.NANOSECONDS);
        socket.runScheduledPendingTasks();
    }

    private String passedOn() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf next = socket.readInbound(); next != null; next = socket.readInbound()) {
            all.append(next.toString(ISO_8859_1));
            next.release();
        }
        return all.toString();
    }

    @Test
    void passesOnWhatFollowsTheHeader() {
        receive(HEADER + "GET /");
        assertThat(clients).containsExactly("192.0.2.1:1024");
        assertThat(passedOn()).isEqualTo("GET /");
        assertThat(socket.pipeline().get(ProxyProtocolHandler.class)).isNull();
        receive(" more");
        assertThat(passedOn()).isEqualTo(" more");
        pass(TIMEOUT);
        assertThat(socket.isOpen()).isTrue();
    }

    @Test
    void waitsForTheWholeHeader() {
        receive(HEADER.substring(0, 20));
        assertThat(clients).isEmpty();
        receive(HEADER.substring(20));
        assertThat(clients).containsExactly("192.0.2.1:1024");
        assertThat(passedOn()).isEmpty();
    }

    @Test
    void closesAConnectionThatIsNotAdmitted() {
        admits = false;
        receive(HEADER + "GET /");
        assertThat(socket.isOpen()).isFalse();
        assertThat(passedOn()).isEmpty();
        assertThat(refused).as("another rule counts it").isZero();
    }

    @Test
    void refusesAnotherBeginning() {
        receive("GET / HTTP/1.1\r\n");
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isEqualTo(1);
        assertThat(clients).isEmpty();
    }

    @Test
    void refusesALateHeader() {
        receive(HEADER.substring(0, 20));
        pass(TIMEOUT.minusNanos(1));
        assertThat(socket.isOpen()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isEqualTo(1);
    }

    @Test
    void refusesAHeaderThatEndsInItsMiddle() {
        receive(HEADER.substring(0, 20));
        socket.endInput();
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isEqualTo(1);
    }

    @Test
    void aConnectionWithoutBytesIsAPortCheck() {
        socket.endInput();
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isZero();
    }

    @Test
    void aResetIsNoFault() {
        socket.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isZero();
    }

    @Test
    void aHeaderUnderWayHasAPauseWhenTheGatewayStops() {
        socket.pipeline().fireUserEventTriggered(DrainState.BEGUN);
        pass(DrainState.PAUSE.minusNanos(1));
        assertThat(socket.isOpen()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(socket.isOpen()).isFalse();
        assertThat(refused).isZero();
    }

    @Test
    void aHeaderInThatPauseIsGood() {
        socket.pipeline().fireUserEventTriggered(DrainState.BEGUN);
        receive(HEADER);
        pass(TIMEOUT);
        assertThat(socket.isOpen()).isTrue();
        assertThat(clients).hasSize(1);
    }
}
