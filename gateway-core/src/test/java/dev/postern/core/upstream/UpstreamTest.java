package dev.postern.core.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.upstream.connect.FakeLoops;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.HashPolicy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what an upstream decides without a connection. */
class UpstreamTest {

    private static final int MINIMUM_CALLS = 20;

    private final FakeLoops loops = new FakeLoops();

    private static Exchange exchange(String path) {
        return TestExchanges.exchange(
                TestExchanges.UNTRUSTED, new RequestHead().method(Method.GET).target(path, ""), List.of());
    }

    /** Lets exchanges end with that refusal or status, as far as the breaker admits them. */
    private static void end(Upstream upstream, int times, @Nullable Refusal refusal, int status) {
        for (int i = 0; i < times; i++) {
            Exchange exchange = exchange("/");
            if (upstream.admits(exchange)) {
                if (refusal != null) {
                    exchange.outcome().refusal(refusal);
                }
                exchange.outcome().status(status);
                exchange.end();
            }
        }
    }

    // ---- the breaker

    @Test
    void withoutABreakerAllExchangesAreAdmitted() {
        Upstream upstream = new UpstreamSetup().upstream(loops);
        end(upstream, 100, Refusal.UPSTREAM_CLOSED, 502);
        assertThat(upstream.admits(exchange("/"))).isTrue();
        assertThat(upstream.down(loops.now())).isFalse();
        assertThat(upstream.state().breaker()).isZero();
    }

    @Test
    void theBreakerOpensAfterFailuresAndTriesLater() {
        Upstream upstream = new UpstreamSetup().breaker().upstream(loops);
        end(upstream, MINIMUM_CALLS, Refusal.UPSTREAM_STALLED, 504);
        assertThat(upstream.admits(exchange("/"))).isFalse();
        assertThat(upstream.down(loops.now())).isTrue();
        assertThat(upstream.state().breaker()).isEqualTo(1);
        loops.pass(Duration.ofSeconds(6));
        assertThat(upstream.down(loops.now())).isFalse();
        end(upstream, 1, null, 200);
        assertThat(upstream.state().breaker()).isEqualTo(0.5);
        end(upstream, 4, null, 200);
        assertThat(upstream.state().breaker()).isZero();
    }

    /** 21 successes and 20 failures are no reason to open; 20 failures alone are. */
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        ", 200, success",
        ", 404, success",
        ", 500, success",
        ", 502, failure",
        ", 503, failure",
        ", 504, failure",
        ", 0, none",
        "UPSTREAM_CLOSED, 502, failure",
        "UPSTREAM_BUSY, 503, failure",
        "UPSTREAM_STALLED, 0, failure",
        "REQUEST_TIMEOUT, 408, none",
        "BODY_TOO_LARGE, 413, none",
        "REQUEST_MALFORMED, 0, none",
        "LEDGER_UNKNOWN, 503, none",
        "OVERLOADED, 503, none",
        "INTERNAL, 500, none",
        "DRAINING, 0, none"
    })
    void whatAnExchangeSaysAboutTheUpstream(@Nullable Refusal refusal, int status, String expected) {
        Upstream alone = new UpstreamSetup().breaker().upstream(loops);
        end(alone, MINIMUM_CALLS, refusal, status);
        assertThat(alone.admits(exchange("/"))).isEqualTo(!expected.equals("failure"));

        Upstream mixed = new UpstreamSetup().breaker().upstream(loops);
        end(mixed, MINIMUM_CALLS - 1, refusal, status);
        if (!expected.equals("failure")) {
            end(mixed, 2, refusal, status);
            end(mixed, MINIMUM_CALLS, Refusal.UPSTREAM_CLOSED, 502);
            assertThat(mixed.admits(exchange("/"))).isEqualTo(expected.equals("success"));
        }
    }

    @Test
    void isDownWhenEveryEndpointIs() {
        Upstream upstream = new UpstreamSetup().endpoints("a:80", "b:80").upstream(loops);
        for (Endpoint endpoint : upstream.endpoints().all()) {
            assertThat(upstream.down(loops.now())).isFalse();
            for (int i = 0; i < 5; i++) {
                endpoint.health().bad(true, loops.now());
            }
        }
        assertThat(upstream.down(loops.now())).isTrue();
        assertThat(upstream.state().servers()).isEqualTo(2);
        assertThat(upstream.state().usable()).isZero();
    }

    @Test
    void tellsWhetherStreamsShareItsConnections() {
        assertThat(new UpstreamSetup().upstream(loops).multiplexed()).isFalse();
        assertThat(new UpstreamSetup().multiplexed().upstream(loops).multiplexed())
                .isTrue();
    }

    // ---- replacing an upstream

    @Test
    void countsOfTheReplacedUpstreamContinue() {
        Upstream first = new UpstreamSetup().upstream(loops);
        first.retry(0);
        Upstream second = new UpstreamSetup().endpoints("b:80").replacing(first, loops);
        second.retry(0);
        second.countStale();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        second.register(meters);
        assertThat(value(meters, "postern.upstream.retries", "sent")).isEqualTo(2);
        assertThat(value(meters, "postern.upstream.retries", "stale")).isEqualTo(1);
        assertThat(second.traffic()).isEqualTo(new Upstream.Traffic(0, 0, 0));
        assertThat(second.reuseRatio()).isZero();
    }

    @Test
    void aRetiredUpstreamKeepsItsEndpointsForExchangesThatCameBefore() {
        Upstream upstream = new UpstreamSetup().endpoints("a:80", "b:80").upstream(loops);
        EventLoop loop = loops.loop();
        assertThat(upstream.pool(loop)).isSameAs(upstream.pool(loop));
        Object pool = upstream.pool(loop);
        upstream.retire();
        assertThat(upstream.endpoints().all()).allMatch(Endpoint::retired).hasSize(2);
        assertThat(upstream.idle()).isZero();
        loops.pass(Duration.ofSeconds(59));
        assertThat(upstream.pool(loop)).isSameAs(pool);
        loops.pass(Duration.ofSeconds(1));
        assertThat(upstream.pool(loop)).as("forgotten after a minute").isNotSameAs(pool);
    }

    // ---- what an exchange brings

    @Test
    void onlyRingHashNeedsAKey() {
        assertThat(new UpstreamSetup().upstream(loops).key(exchange("/a"))).isZero();
        Upstream ring = new UpstreamSetup().ringHash(HashPolicy.of("path")).upstream(loops);
        assertThat(ring.key(exchange("/a"))).isNotZero().isNotEqualTo(ring.key(exchange("/b")));
    }

    @Test
    void namesTheClientOnlyWithTheProxyProtocol() {
        assertThat(new UpstreamSetup().upstream(loops).source(exchange("/"))).isNull();
        assertThat(new UpstreamSetup().proxyProtocol().upstream(loops).source(exchange("/")))
                .isEqualTo(
                        new ProxyProtocolSource(new InetSocketAddress(TestExchanges.address("192.0.2.7"), 4711), null));
    }

    @Test
    void aClientThatAProxyNamesHasNoPort() {
        Exchange exchange = exchange("/");
        exchange.clientAddress(TestExchanges.address("198.51.100.1"));
        assertThat(new UpstreamSetup().proxyProtocol().upstream(loops).source(exchange))
                .isEqualTo(
                        new ProxyProtocolSource(new InetSocketAddress(TestExchanges.address("198.51.100.1"), 0), null));
    }

    @Test
    void retriesHaveABudget() {
        Upstream upstream = new UpstreamSetup().upstream(loops);
        for (int i = 0; i < RetryBudget.RESERVE; i++) {
            assertThat(upstream.retry(loops.now())).isTrue();
        }
        assertThat(upstream.retry(loops.now())).isFalse();
        assertThat(new UpstreamSetup().retryBudget(0).upstream(loops).retry(loops.now()))
                .isFalse();
    }

    // ---- settings and meters

    @Test
    void aUnixSocketNeedsANativeTransport() {
        UpstreamSetup setup = new UpstreamSetup().endpoints("unix:/run/app.sock");
        assertThatThrownBy(() -> setup.upstream(loops))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("upstreams: app: endpoints: unix:/run/app.sock (expected: host:port, since the transport is"
                        + " nio, which has no Unix sockets)");
    }

    @Test
    void metersShowItsState() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        UpstreamSetup setup = new UpstreamSetup().endpoints("a:80", "b:80").breaker();
        Upstream upstream = new Upstream(setup.settings(), setup.connector(loops), meters);
        upstream.endpoints().all().get(0).health().checked(false, 0);
        upstream.endpoints().all().get(0).health().checked(false, 0);
        upstream.endpoints().all().get(0).health().checked(false, 0);
        assertThat(value(meters, "postern.upstream.endpoints", "all")).isEqualTo(2);
        assertThat(value(meters, "postern.upstream.endpoints", "usable")).isEqualTo(1);
        assertThat(value(meters, "postern.upstream.idle.limit", "app")).isEqualTo(55);
        assertThat(value(meters, "postern.upstream.connections", "open")).isZero();
        assertThat(value(meters, "postern.upstream.connections", "idle")).isZero();
        assertThat(value(meters, "postern.upstream.connections", "pending")).isZero();
        end(upstream, MINIMUM_CALLS, Refusal.UPSTREAM_CLOSED, 502);
        assertThat(value(meters, "postern.upstream.breaker", "app")).isEqualTo(1);
    }

    @Test
    void withoutABreakerThereIsNoMeterOfOne() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        new UpstreamSetup().upstream(loops).register(meters);
        assertThat(meters.find("postern.upstream.breaker").gauge()).isNull();
    }

    private static double value(SimpleMeterRegistry meters, String name, String lastTag) {
        Meter meter = meters.get(name).meters().stream()
                .filter(one -> one.getId().getTags().stream()
                        .anyMatch(tag -> tag.getValue().equals(lastTag)))
                .findFirst()
                .orElseThrow();
        return meter.measure().iterator().next().getValue();
    }

    @Test
    void upstreamsAreFoundByName() {
        Upstream app = new UpstreamSetup().upstream(loops);
        Upstreams upstreams = new Upstreams(Map.of("app", app));
        assertThat(upstreams.named("app")).isSameAs(app);
        assertThat(upstreams.named("other")).isNull();
        assertThat(upstreams.all()).containsExactly(app);
        assertThat(Upstreams.NONE.all()).isEmpty();
    }

    @Test
    void theGatewaysOwnRefusalsAreNoTrials() {
        Upstream upstream = new UpstreamSetup().breaker().upstream(loops);
        end(upstream, MINIMUM_CALLS, Refusal.UPSTREAM_STALLED, 504);
        loops.pass(Duration.ofSeconds(6));
        end(upstream, 50, Refusal.REQUEST_TIMEOUT, 408);
        assertThat(upstream.state().breaker()).isEqualTo(0.5);
        assertThat(upstream.admits(exchange("/"))).isTrue();
        assertThat(upstream.name()).isEqualTo("app");
    }
}
