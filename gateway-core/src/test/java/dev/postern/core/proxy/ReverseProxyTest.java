package dev.postern.core.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.Refusal;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a reverse proxy refuses before it asks the upstream. */
class ReverseProxyTest {

    private final ProxyExchangeFixture proxied = new ProxyExchangeFixture().breaker();

    /** Forwards to an upstream whose breaker is open, so that no connection is needed. */
    private Exchange forward() {
        ExchangeFixture failed = new ExchangeFixture();
        Upstream upstream = proxied.upstream();
        upstream.admits(failed.exchange());
        failed.exchange().outcome().status(503);
        failed.exchange().end();
        Exchange exchange = proxied.exchange();
        RoutingSnapshot.of(List.of())
                .with(new Upstreams(Map.of("app", upstream)))
                .rule(exchange);
        proxied.proxy().forward(exchange);
        return exchange;
    }

    @Test
    void forwardsToTheUpstreamOfTheRoute() {
        Exchange exchange = forward();
        assertThat(exchange.outcome().upstream()).isEqualTo("app");
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.UPSTREAM_DOWN);
    }

    @Test
    void refusesARouteWithoutItsUpstream() {
        proxied.proxy().forward(proxied.exchange());
        assertThat(proxied.exchange().outcome().refusal()).isEqualTo(Refusal.ROUTE_NOT_FOUND);
    }

    /** An extended CONNECT has no meaning without its tunnel; HTTP/1.1 ignores an upgrade. */
    @ParameterizedTest
    @CsvSource({
        "2, websocket, UPSTREAM_DOWN",
        "2, tcp, NOT_IMPLEMENTED",
        "2, '', UPSTREAM_DOWN",
        "1, tcp, UPSTREAM_DOWN"
    })
    void refusesStreamsOfAnotherProtocol(int version, String protocol, Refusal refusal) {
        proxied.client().request().majorVersion(version).upgrade(protocol);
        assertThat(forward().outcome().refusal()).isEqualTo(refusal);
    }

    @Test
    void refusesAPathThatCannotBeRewritten() {
        proxied.client().request().target("/a/%00", "");
        proxied.client()
                .transform(KeyDefaults.with(
                        RouteTransform.PLAIN, Map.of("rewrite", Rewrite.of("^/a/(.*)$ -> /new/$1", "/"))));
        Exchange exchange = forward();
        assertThat(exchange.outcome().refusal()).isEqualTo(Refusal.ROUTE_NOT_FOUND);
        assertThat(exchange.outcome().reason()).isEqualTo("rewrite");
    }
}
