package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RecordedResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how UDP tunnels open, with an embedded channel as socket. */
@ExtendWith(LeakExtension.class)
class UdpForwardTest {

    private static final InetSocketAddress DESTINATION = InetSocketAddress.createUnresolved("192.0.2.1", 443);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel loop =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final EmbeddedChannel socket =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final ChannelPromise connect = socket.newPromise();
    private final RecordedResponse response = new RecordedResponse();
    private final FakeTunnelPeer client = new FakeTunnelPeer(loop.eventLoop());
    private final OutboundSockets sockets = new OutboundSockets(10);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ForwardPolicy policy = ForwardFixture.policy(List.of(), List.of("443"));
    private final UdpForward udp = new UdpForward(
            (itsLoop, address) -> {
                assertThat(itsLoop).isSameAs(loop.eventLoop());
                assertThat(address).isEqualTo(DESTINATION);
                return connect;
            },
            sockets,
            meters);

    @AfterEach
    void close() {
        socket.finishAndReleaseAll();
    }

    private Exchange open(int version) {
        RequestHead head =
                new RequestHead().method(Method.GET).majorVersion(version).upgrade("connect-udp");
        Exchange exchange = ForwardFixture.exchange(loop.eventLoop(), head, policy, response);
        udp.open(exchange, policy, DESTINATION);
        return exchange;
    }

    private double tunnels() {
        return meters.get("postern.tunnels").tags("kind", "connect-udp").gauge().value();
    }

    /** HTTP/1.1 switches protocols, HTTP/2 does not (RFC 9298 sections 3.3 and 3.5). */
    @ParameterizedTest
    @CsvSource({"1, 101, upgrade, connect-udp", "2, 200, '', ''"})
    void acceptsInTheClientsVersion(int version, int status, String connection, String upgrade) {
        response.tunnels(client);
        Exchange exchange = open(version);
        ticker.advance(1, TimeUnit.SECONDS);
        connect.setSuccess();
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.value(FieldName.CONNECTION)).isEqualTo(connection);
        assertThat(response.value(FieldName.UPGRADE)).isEqualTo(upgrade);
        assertThat(response.value(FieldName.CAPSULE_PROTOCOL)).isEqualTo("?1");
        assertThat(exchange.outcome().status()).isEqualTo(status);
        assertThat(exchange.outcome().forwarded()).isTrue();
        assertThat(exchange.timeline().nanos(StageName.CONNECT)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(socket.config().isAutoRead()).isTrue();
        client.taker();
    }

    @Test
    void holdsOneSocketUntilTheTunnelCloses() {
        response.tunnels(client);
        open(2);
        assertThat(sockets.open()).isEqualTo(1);
        assertThat(tunnels()).isZero();
        connect.setSuccess();
        assertThat(tunnels()).isEqualTo(1);
        socket.close();
        assertThat(tunnels()).isZero();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void endsASilentTunnel() {
        response.tunnels(client);
        open(2);
        connect.setSuccess();
        ticker.advance(policy.settings().udp().idle().toNanos(), TimeUnit.NANOSECONDS);
        loop.runScheduledPendingTasks();
        assertThat(client.end()).isEqualTo("completed");
        assertThat(socket.isOpen()).isFalse();
    }

    @Test
    void closesTheSocketWhereNoTunnelOpens() {
        open(1);
        connect.setSuccess();
        assertThat(socket.isOpen()).isFalse();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void closesTheSocketOfAClientThatHasLeft() {
        Exchange exchange = open(2);
        exchange.end();
        connect.setSuccess();
        assertThat(socket.isOpen()).isFalse();
        assertThat(response.status()).isZero();
        assertThat(exchange.outcome().forwarded()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"refused, 502, ''", "Too many open files, 503, descriptors"})
    void refusesWithoutASocket(String failure, int status, String reason) {
        Exchange exchange = open(2);
        connect.setFailure(reason.isEmpty() ? new ConnectException(failure) : new IOException(failure));
        assertThat(response.status()).isEqualTo(status);
        assertThat(exchange.outcome().reason()).isEqualTo(reason);
        assertThat(sockets.open()).isZero();
        assertThat(tunnels()).isZero();
    }

    @Test
    void refusesBeyondTheBudget() {
        sockets.max(0);
        Exchange exchange = open(2);
        assertThat(response.status()).isEqualTo(503);
        assertThat(exchange.outcome().reason()).isEqualTo("descriptors");
        assertThat(connect.isDone()).isFalse();
    }
}
