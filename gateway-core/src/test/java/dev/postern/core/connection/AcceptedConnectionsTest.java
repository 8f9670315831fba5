package dev.postern.core.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.testing.TestLimits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests which connections a listener admits. */
class AcceptedConnectionsTest {

    private static final String PROXY = "10.0.0.1";

    private final ConnectionLimiter limiter = new ConnectionLimiter(TestLimits.CLIENT, () -> {});
    private final CloseReasonMetrics metrics =
            new CloseReasonMetrics(new SimpleMeterRegistry(), Ticker.newMockTicker());
    private @Nullable AddressRule addresses;
    private final MockTicker ticker = Ticker.newMockTicker();
    private final HandshakeLimiter handshakes = new HandshakeLimiter(Rate.of("2/s"), ticker);
    private boolean shedding;
    private boolean proxyProtocol;
    private boolean tls;
    private final EmbeddedChannel listening = new EmbeddedChannel(new AcceptLimitHandler(
            limiter, handshakes, metrics, () -> new ListenerAdmission(listener(), proxyProtocol, tls), () -> shedding));

    private ListenerInfo listener() {
        return new ListenerInfo(
                "web",
                ListenerInfo.Mode.REVERSE,
                "",
                "",
                CidrSet.of(List.of(PROXY + "/32")),
                List.of(),
                ListenerInfo.Forwarded.AUTO,
                false,
                null,
                ClientNetworks.WELL_KNOWN,
                addresses,
                null);
    }

    /** Connection that was accepted from an address; null for a client that has gone already. */
    private static final class Accepted extends EmbeddedChannel {

        private final @Nullable InetSocketAddress peer;

        Accepted(@Nullable InetSocketAddress peer) {
            this.peer = peer;
        }

        @Override
        protected @Nullable SocketAddress remoteAddress0() {
            return peer;
        }
    }

    private Accepted accept(String from) {
        return accept(new InetSocketAddress(from, 4711));
    }

    private Accepted accept(@Nullable InetSocketAddress from) {
        Accepted child = new Accepted(from);
        listening.writeInbound(child);
        assertThat(listening.inboundMessages().contains(child)).as("passed on").isEqualTo(child.isOpen());
        return child;
    }

    private void limit(int connections, int perAddress) {
        limiter.limits(TestLimits.with(Map.of("connections", connections, "connectionsPerAddress", perAddress)));
    }

    @Test
    void refusesConnectionsBeyondTheLimitUntilOneIsClosed() {
        limit(1, 0);
        Accepted first = accept("192.0.2.1");
        assertThat(first.isOpen()).isTrue();
        assertThat(accept("192.0.2.2").isOpen()).isFalse();
        assertThat(metrics.closed(Why.FULL)).isEqualTo(1);

        first.close();
        assertThat(accept("192.0.2.3").isOpen()).isTrue();
    }

    @Test
    void refusesConnectionsOfOneAddressBeyondItsLimit() {
        limit(100, 1);
        Accepted first = accept("192.0.2.1");
        assertThat(first.isOpen()).isTrue();
        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        assertThat(accept("192.0.2.2").isOpen()).isTrue();
        assertThat(metrics.closed(Why.ADDRESS)).isEqualTo(1);

        first.close();
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
    }

    @Test
    void aRefusedConnectionCountsForNoAddress() {
        limit(1, 1);
        Accepted first = accept("192.0.2.1");
        assertThat(accept("192.0.2.2").isOpen()).isFalse();
        first.close();

        assertThat(accept("192.0.2.2").isOpen()).isTrue();
    }

    @Test
    void refusesMoreHandshakesOfOneAddressThanTheRate() {
        tls = true;
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        assertThat(metrics.closed(Why.HANDSHAKES)).isEqualTo(1);
        assertThat(accept("192.0.2.2").isOpen()).isTrue();
        ticker.advance(500, TimeUnit.MILLISECONDS);
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        tls = false;
        assertThat(accept("192.0.2.1").isOpen()).as("without TLS").isTrue();
        handshakes.rate(Rate.of("0"));
        tls = true;
        assertThat(accept("192.0.2.1").isOpen()).as("without a limit").isTrue();
    }

    @Test
    void doesNotLimitTheHandshakesOfATrustedProxy() {
        tls = true;
        for (int i = 0; i < 5; i++) {
            assertThat(accept(PROXY).isOpen()).isTrue();
        }
    }

    @Test
    void refusesDeniedAddressesBeforeTheyTakeAPlace() {
        limit(1, 1);
        addresses = new AddressRule(CidrSet.of(List.of("192.0.2.0/24")), CidrSet.of(List.of("192.0.2.1")));
        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        assertThat(accept("198.51.100.1").isOpen()).isFalse();
        assertThat(metrics.closed(Why.ADDRESS_DENIED)).isEqualTo(2);
        assertThat(metrics.closed(Why.FULL)).isZero();
        assertThat(accept("192.0.2.2").isOpen()).isTrue();
    }

    @Test
    void acceptsATrustedProxyWhateverItsAddressIs() {
        addresses = new AddressRule(null, CidrSet.of(List.of(PROXY)));
        assertThat(accept(PROXY).isOpen()).isTrue();
    }

    @Test
    void doesNotLimitTheAddressOfATrustedProxy() {
        limit(100, 1);

        assertThat(accept(PROXY).isOpen()).isTrue();
        assertThat(accept(PROXY).isOpen()).isTrue();
    }

    @Test
    void onlyTrustedProxiesMaySendTheHeaderOfTheProxyProtocol() {
        proxyProtocol = true;

        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        assertThat(accept(PROXY).isOpen()).isTrue();
        assertThat(metrics.closed(Why.PROXY_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void refusesHandshakesWhileLoadIsShed() {
        shedding = true;
        assertThat(accept("192.0.2.1").isOpen()).as("clear text").isTrue();

        tls = true;
        assertThat(accept("192.0.2.1").isOpen()).isFalse();
        assertThat(metrics.closed(Why.OVERLOADED)).isEqualTo(1);
        shedding = false;
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
    }

    @Test
    void aClientThatHasGoneCountsUntilItIsClosed() {
        limit(1, 1);
        Accepted gone = accept((InetSocketAddress) null);
        assertThat(gone.isOpen()).isTrue();
        assertThat(accept("192.0.2.1").isOpen()).isFalse();

        gone.close();
        assertThat(accept("192.0.2.1").isOpen()).isTrue();
    }
}
