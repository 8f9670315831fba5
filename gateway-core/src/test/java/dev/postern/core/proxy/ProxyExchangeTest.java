package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.proxy.ProxyExchangeFixture.Lease;
import dev.postern.core.spi.EndpointRule;
import dev.postern.core.testing.FakeTunnelPeer;
import dev.postern.core.testing.FakeUpstreamStream;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.upstream.endpoint.ExtensionBalance;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.endpoint.UpstreamSettings.Expect;
import dev.postern.core.upstream.share.Activity;
import dev.postern.core.upstream.share.Preemption;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how an exchange gets its connection, what it says to the pool meanwhile, and how it ends; retries are in {@link RetryTest}. */
@ExtendWith(LeakExtension.class)
class ProxyExchangeTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ProxyExchangeFixture proxied = new ProxyExchangeFixture();

    // ---- the connection

    @Test
    void sendsTheRequestOverTheLease() {
        proxied.start();
        assertThat(proxied.pool().wanted()).containsExactly("any");
        assertThat(proxied.exchange().outcome().upstream()).isEqualTo("app");
        proxied.client().pass(SECOND);

        Lease lease = proxied.lease(proxied.one(), true);
        assertThat(proxied.exchange().timeline().nanos(StageName.CONNECT)).isEqualTo(SECOND.toNanos());
        assertThat(proxied.exchange().outcome().reused()).isTrue();
        assertThat(lease.stream().request()).isSameAs(proxied.client().request());
        assertThat(lease.stream().timeout(proxied.client().now())).isEqualTo(AttemptFixture.FIRST_BYTE);

        lease.stream().upstream().head(new ResponseHead().status(200).bodyLength(0));
        lease.stream().upstream().complete();
        assertThat(proxied.response().status()).isEqualTo(200);
        assertThat(proxied.response().value(FieldName.VIA)).isEqualTo("1.1 postern");
        assertThat(proxied.blamed(proxied.one())).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "200, false",
        "404, false",
        "500, false",
        "501, false",
        "502, true",
        "503, true",
        "504, true",
        "505, false"
    })
    void anEndpointThatCannotServeIsBlamed(int status, boolean blamed) {
        Lease lease = proxied.lease(proxied.one(), false);
        lease.stream().upstream().head(new ResponseHead().status(status).bodyLength(0));
        assertThat(proxied.response().status()).isEqualTo(status);
        assertThat(proxied.blamed(proxied.one())).isEqualTo(blamed);
    }

    @Test
    void theResponseSaysThatTheEndpointIsAlive() {
        Lease lease = proxied.lease(proxied.one(), false);
        proxied.client().pass(SECOND);
        lease.stream().upstream().head(new ResponseHead().status(200).bodyLength(0));
        assertThat(proxied.one().respondedSince(proxied.client().now() - 1)).isTrue();
        assertThat(proxied.one().respondedSince(proxied.client().now())).isFalse();
    }

    @Test
    void anOpenBreakerAdmitsNothing() {
        proxied.breaker();
        ExchangeFixture failed = new ExchangeFixture();
        assertThat(proxied.upstream().admits(failed.exchange())).isTrue();
        failed.exchange().outcome().status(503);
        failed.exchange().end();

        proxied.start();
        assertThat(proxied.response().status()).isEqualTo(503);
        assertThat(proxied.exchange().outcome().refusal()).isEqualTo(Refusal.UPSTREAM_DOWN);
        assertThat(proxied.pool().wanted()).isEmpty();
    }

    @Test
    void aLeaseThatComesTooLateGoesBack() {
        proxied.start();
        assertThat(proxied.start().active()).isTrue();
        proxied.exchange().end();
        assertThat(proxied.start().active()).isFalse();
        Lease lease = proxied.lease(proxied.one(), true);
        assertThat(lease.cameBackUnused()).isTrue();
        assertThat(lease.stream().request()).isNull();

        ProxyExchangeFixture responding = new ProxyExchangeFixture();
        responding.start();
        responding.exchange().markResponding();
        assertThat(responding.start().active()).isFalse();
        assertThat(responding.lease(responding.one(), true).cameBackUnused()).isTrue();
    }

    // ---- the end

    @Test
    void aClientThatLeavesGivesUpItsPlace() {
        proxied.start();
        assertThat(proxied.pool().left()).isFalse();
        proxied.exchange().end();
        assertThat(proxied.pool().left()).isTrue();
    }

    @Test
    void aClientThatLeavesEndsTheAttempt() {
        Lease lease = proxied.lease(proxied.one(), false);
        proxied.exchange().end();
        assertThat(lease.stream().aborted()).isTrue();
        assertThat(proxied.pool().left()).isFalse();
    }

    @Test
    void theRoutesTimeoutEndsAnExchangeThatWaits() {
        proxied.client().timeout(SECOND);
        proxied.start();
        proxied.client().pass(SECOND.minusNanos(1));
        assertThat(proxied.response().status()).isZero();
        proxied.client().pass(Duration.ofNanos(1));
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.pool().left()).isTrue();
    }

    @Test
    void theRoutesTimeoutEndsAnAttempt() {
        proxied.client().post().timeout(SECOND);
        Lease lease = proxied.lease(proxied.one(), false);
        proxied.client().pass(SECOND);
        assertThat(proxied.response().status())
                .as("the client has not sent its body")
                .isEqualTo(408);
        assertThat(lease.stream().aborted()).isTrue();
        assertThat(proxied.blamed(proxied.one())).isFalse();
    }

    @Test
    void theRoutesTimeoutEndsWithTheExchange() {
        proxied.client().timeout(SECOND);
        proxied.start();
        proxied.exchange().end();
        proxied.client().pass(SECOND);
        assertThat(proxied.response().status()).isZero();
    }

    @Test
    void aRouteWithoutTimeoutHasNone() {
        proxied.start();
        proxied.client().pass(Duration.ofDays(1));
        assertThat(proxied.response().status()).isZero();
    }

    // ---- what the pool asks

    @Test
    void readsTheKeyOnce() {
        AtomicLong reads = new AtomicLong();
        ExtensionBalance rule = new ExtensionBalance() {
            @Override
            public long key(Exchange exchange) {
                return 40 + reads.incrementAndGet();
            }

            @Override
            public EndpointRule.Chooser open() {
                throw new UnsupportedOperationException();
            }
        };
        proxied.balance(UpstreamSettings.Balance.by(rule));
        assertThat(proxied.start().key()).isEqualTo(41);
        assertThat(proxied.start().key()).isEqualTo(41);
    }

    @Test
    void namesTheClientWhereTheUpstreamExpectsIt() {
        assertThat(proxied.start().source()).isNull();

        ProxyExchangeFixture named = new ProxyExchangeFixture().proxyProtocol();
        assertThat(named.start().source()).isNotNull();
        assertThat(String.valueOf(named.start().source())).contains("192.0.2.7:4711");
        assertThat(named.start().source()).isSameAs(named.start().source());
    }

    @Test
    void namesTheNetworkOfTheClient() {
        assertThat(proxied.start().network()).isEqualTo(proxied.exchange().clientPrefix());
        assertThat(proxied.start().network()).isSameAs(proxied.start().network());
    }

    @Test
    void saysWhetherTheRequestCanBeSentAgain() {
        assertThat(proxied.start().unrepeatable()).isFalse();
        ProxyExchangeFixture post = new ProxyExchangeFixture();
        post.client().post();
        assertThat(post.start().unrepeatable()).isTrue();
    }

    @Test
    void tellsStreamsFromConnections() {
        assertThat(proxied.start().multiplexed()).isFalse();
        assertThat(new ProxyExchangeFixture().streams().start().multiplexed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theUpstreamDecidesOnExpectWhereItIsForwarded(Expect expect) {
        assertThat(proxied.expect(expect).start().forwardsExpect()).isEqualTo(expect == Expect.FORWARD);
    }

    @Test
    void anExchangeBetweenTwoConnectionsIsNotPreempted() {
        proxied.start().preempted(Preemption.CLIENT);
        assertThat(proxied.response().status()).isZero();
        assertThat(proxied.start().activity(proxied.client().now())).isEqualTo(new Activity(Activity.Kind.UPSTREAM, 0));
    }

    @Test
    void anExchangeOnAConnectionIsPreempted() {
        Lease lease = proxied.lease(proxied.one(), false);
        proxied.client().pass(SECOND);
        assertThat(proxied.start().activity(proxied.client().now()))
                .isEqualTo(new Activity(Activity.Kind.UPSTREAM, SECOND.toNanos()));
        proxied.start().preempted(Preemption.CLIENT);
        assertThat(proxied.response().status()).isEqualTo(504);
        assertThat(proxied.exchange().outcome().reason()).isEqualTo("client-wait");
        assertThat(lease.stream().aborted()).isTrue();
    }

    // ---- tunnels

    private void askForTunnel(String protocol) {
        proxied.client().request().majorVersion(2).upgrade(protocol);
        proxied.response().tunnels(new FakeTunnelPeer(proxied.client().loop()));
    }

    @Test
    void countsATunnelOverAConnectionUntilThatCloses() {
        askForTunnel("tcp");
        Lease lease = proxied.lease(proxied.one(), false);
        EmbeddedChannel upstream =
                EmbeddedChannel.builder().ticker(proxied.client().ticker()).build();
        lease.stream().upstream().upgraded(new ResponseHead().status(101), upstream, Unpooled.EMPTY_BUFFER);
        assertThat(proxied.proxy().tunnels()).isEqualTo(1);
        upstream.finishAndReleaseAll();
        assertThat(proxied.proxy().tunnels()).isZero();
    }

    @Test
    void countsATunnelOverAStreamUntilTheExchangeIsOver() {
        askForTunnel("websocket");
        proxied.exchange().markTunnelled();
        Lease lease = proxied.lease(proxied.one(), false);
        lease.stream().upstream().upgraded(new ResponseHead().status(200), new FakeUpstreamStream());
        assertThat(proxied.proxy().tunnels()).isEqualTo(1);
        proxied.exchange().end();
        assertThat(proxied.proxy().tunnels()).isEqualTo(1);
        proxied.exchange().over();
        assertThat(proxied.proxy().tunnels()).isZero();
    }
}
