package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.client.Http1UpstreamConnection;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.RouteMatch;
import dev.postern.core.testing.EmbeddedSocket;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryNames;
import dev.postern.core.testing.RecordedResponse;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests tunnels and requests of a forward listener with embedded channels as destinations, which connect when a test says so. */
@ExtendWith(LeakExtension.class)
class ForwardProxyTest {

    private static final String ONE = "192.31.196.1";
    private static final String OTHER = "192.31.196.2";

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final RecordedResponse response = new RecordedResponse();
    private final FakeTunnelPeer client = new FakeTunnelPeer(channel.eventLoop());
    private final OutboundSockets sockets = new OutboundSockets(100);
    private final List<EmbeddedSocket> destinations = new ArrayList<>();
    private final List<ChannelPromise> connects = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final ForwardProxy proxy = new ForwardProxy(
            (loop, address, halfClosure) -> {
                asked.add(NetUtil.toSocketAddressString(address) + (halfClosure ? " with half-close" : ""));
                EmbeddedSocket destination = new EmbeddedSocket(ticker);
                destinations.add(destination);
                ChannelPromise connect = destination.newPromise();
                connects.add(connect);
                return connect;
            },
            Http1UpstreamConnection.opener(),
            new Via("postern"),
            new DestinationLookup(
                    new MemoryNames((name, found) -> found.setSuccess(addresses())),
                    ForwardFixture.destinations(own -> false),
                    sockets),
            new UdpForward(
                    (loop, address) -> {
                        asked.add("udp " + NetUtil.toSocketAddressString(address));
                        return new EmbeddedSocket(ticker).newFailedFuture(new ConnectException("refused"));
                    },
                    sockets,
                    new SimpleMeterRegistry()),
            sockets);

    @AfterEach
    void close() {
        destinations.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    private static List<InetAddress> addresses() {
        return Stream.of(ONE, OTHER)
                .map(NetUtil::createInetAddressFromIpAddressString)
                .toList();
    }

    private Exchange forward(RequestHead head) {
        Exchange exchange = ForwardFixture.exchange(
                channel.eventLoop(), head, ForwardFixture.policy(List.of("80", "443"), List.of("443")), response);
        RouteMatch.of(exchange);
        proxy.forward(exchange, Objects.requireNonNull(ForwardPolicy.of(exchange)));
        channel.runPendingTasks();
        return exchange;
    }

    private static RequestHead connect(String authority) {
        return new RequestHead().method(Method.CONNECT).authority(authority);
    }

    private static RequestHead get(String authority) {
        RequestHead head = new RequestHead().scheme("http").authority(authority).absolute(true);
        head.target("/path", "?query");
        head.add(FieldName.HOST, authority);
        return head;
    }

    private void connected(int index) {
        connects.get(index).setSuccess();
        channel.runPendingTasks();
    }

    // ---- tunnels

    @Test
    void joinsTheClientToItsDestination() {
        response.tunnels(client);
        Exchange exchange = forward(connect(ONE + ":443"));
        assertThat(asked).containsExactly(ONE + ":443 with half-close");
        assertThat(sockets.open()).isEqualTo(1);
        ticker.advance(1, TimeUnit.SECONDS);

        connected(0);
        assertThat(response.status()).isEqualTo(200);
        assertThat(exchange.outcome().status()).isEqualTo(200);
        assertThat(exchange.outcome().forwarded()).isTrue();
        assertThat(exchange.timeline().nanos(StageName.CONNECT)).isPositive();
        assertThat(proxy.tunnels()).isEqualTo(1);
        client.send("to");
        assertThat(destinations.get(0).taken()).isEqualTo("to");
        destinations.get(0).writeInbound(Unpooled.copiedBuffer("back", StandardCharsets.ISO_8859_1));
        assertThat(client.received()).isEqualTo("back");

        destinations.get(0).close();
        assertThat(proxy.tunnels()).isZero();
        assertThat(sockets.open()).isZero();
        assertThat(client.end()).isEqualTo("closed");
    }

    @Test
    void endsASilentTunnel() {
        response.tunnels(client);
        forward(connect(ONE + ":443"));
        connected(0);
        ticker.advance(Duration.ofMinutes(5).toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        assertThat(client.end()).isEqualTo("closed");
        assertThat(destinations.get(0).isOpen()).isFalse();
    }

    @Test
    void closesTheDestinationWhereNoTunnelOpens() {
        forward(connect(ONE + ":443"));
        connected(0);
        assertThat(destinations.get(0).isOpen()).isFalse();
        assertThat(proxy.tunnels()).isZero();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void keepsTheSocketOfTheFirstThatConnects() {
        response.tunnels(client);
        forward(connect("two.example:443"));
        assertThat(sockets.open()).as("one for each address").isEqualTo(2);
        connects.get(0).setFailure(new ConnectException("refused"));
        assertThat(asked).containsExactly(ONE + ":443 with half-close", OTHER + ":443 with half-close");
        connected(1);
        assertThat(response.status()).isEqualTo(200);
        assertThat(sockets.open()).isEqualTo(1);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException("refused"), 502, ""),
                Arguments.of(new ConnectTimeoutException(), 504, ""),
                Arguments.of(new IOException("Too many open files"), 503, "descriptors"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void refusesWhatDoesNotConnect(IOException cause, int status, String reason) {
        Exchange exchange = forward(connect(ONE + ":443"));
        connects.get(0).setFailure(cause);
        channel.runPendingTasks();
        assertThat(response.status()).isEqualTo(status);
        assertThat(exchange.outcome().reason()).isEqualTo(reason);
        assertThat(exchange.outcome().forwarded()).isFalse();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void refusesWithoutASocket() {
        sockets.max(0);
        Exchange exchange = forward(connect(ONE + ":443"));
        assertThat(response.status()).isEqualTo(503);
        assertThat(exchange.outcome().reason()).isEqualTo("descriptors");
        assertThat(asked).isEmpty();
    }

    @Test
    void stopsConnectingWhenTheClientLeaves() {
        Exchange exchange = forward(connect(ONE + ":443"));
        exchange.end();
        channel.runPendingTasks();
        assertThat(destinations.get(0).isOpen()).isFalse();
        assertThat(sockets.open()).isZero();
        assertThat(response.status()).isZero();
    }

    @Test
    void aTunnelOutlivesTheEndOfItsExchange() {
        response.tunnels(client);
        Exchange exchange = forward(connect(ONE + ":443"));
        connected(0);
        exchange.end();
        assertThat(destinations.get(0).isOpen()).isTrue();
    }

    @Test
    void opensUdpTunnelsApart() {
        RequestHead head =
                new RequestHead().method(Method.CONNECT).majorVersion(2).upgrade("connect-udp");
        head.authority("proxy.example").target("/.well-known/masque/udp/" + ONE + "/443/", "");
        forward(head);
        assertThat(asked).containsExactly("udp " + ONE + ":443");
        assertThat(response.status()).isEqualTo(502);
    }

    // ---- requests without a tunnel

    @Test
    void forwardsARequestOverAConnectionOfItsOwn() {
        RequestHead head = get(ONE + ":80");
        head.set(FieldName.HOST, "another.example");
        head.add(FieldName.CONNECTION, "close");
        head.add(FieldName.X_FORWARDED_FOR, "198.51.100.7");
        forward(head);
        assertThat(asked).containsExactly(ONE + ":80");
        connected(0);
        assertThat(destinations.get(0).taken())
                .startsWith("GET /path?query HTTP/1.1\r\n")
                .containsIgnoringCase("\r\nHost: " + ONE + ":80\r\n")
                .containsIgnoringCase("\r\nVia: 1.1 postern\r\n")
                .doesNotContainIgnoringCase("another.example")
                .doesNotContainIgnoringCase("X-Forwarded")
                .doesNotContainIgnoringCase("\r\nConnection: close");

        destinations
                .get(0)
                .writeInbound(Unpooled.copiedBuffer(
                        "HTTP/1.1 203 OK\r\nContent-Length: 2\r\n\r\nok", StandardCharsets.ISO_8859_1));
        assertThat(response.status()).isEqualTo(203);
        assertThat(response.body()).isEqualTo("ok");
        assertThat(response.value(FieldName.VIA)).isEqualTo("1.1 postern");
        assertThat(destinations.get(0).isOpen()).as("no other client gets it").isFalse();
        assertThat(sockets.open()).isZero();
        assertThat(proxy.tunnels()).isZero();
    }

    @Test
    void sendsNoRequestTwice() {
        forward(get(ONE + ":80"));
        connected(0);
        destinations.get(0).close();
        assertThat(response.status()).isEqualTo(502);
        assertThat(asked).hasSize(1);
    }

    @Test
    void refusesASilentDestination() {
        forward(get(ONE + ":80"));
        connected(0);
        for (int second = 0; second < 60; second++) {
            ticker.advance(1, TimeUnit.SECONDS);
            destinations.get(0).runScheduledPendingTasks();
        }
        assertThat(response.status()).isEqualTo(504);
        assertThat(destinations.get(0).isOpen()).isFalse();
    }

    @Test
    void closesTheConnectionOfAClientThatLeaves() {
        Exchange exchange = forward(get(ONE + ":80"));
        connected(0);
        exchange.end();
        assertThat(destinations.get(0).isOpen()).isFalse();
        assertThat(sockets.open()).isZero();
    }

    @Test
    void theDestinationDecidesOnExpect() {
        RequestHead head = get(ONE + ":80").method(Method.POST).bodyLength(4).expectsContinue(true);
        forward(head);
        connected(0);
        assertThat(destinations.get(0).taken()).containsIgnoringCase("\r\nExpect: 100-continue\r\n");
    }
}
