package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.ErrorPageRenderer;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import dev.postern.core.upstream.Upstreams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {

    private static final Route ROUTE =
            TestRoute.of("*/", "*", "/", "app", Route.Token.OFF, null, Preflight.FORWARD, Duration.ZERO, 0);

    @ParameterizedTest
    @CsvSource({
        "FORWARD, OPTIONS, true, true, true",
        "FORWARD, GET, true, true, false",
        "FORWARD, OPTIONS, false, true, false",
        "FORWARD, OPTIONS, true, false, false",
        "REFUSE, OPTIONS, true, true, false"
    })
    void aPreflightIsOptionsWithOriginAndTheRequestedMethod(
            Preflight rule, String method, boolean origin, boolean requested, boolean passes) {
        List<String> fields = new ArrayList<>();
        if (origin) {
            fields.add("origin:https://a.example");
        }
        if (requested) {
            fields.add("access-control-request-method:PUT");
        }
        RequestHead head = MatchedExchange.head(method, "a", "/x", fields.toArray(String[]::new));
        assertThat(rule.passes(head)).isEqualTo(passes);
    }

    @Test
    void copiesDifferInOneValue() {
        RouteTransform normal = KeyDefaults.with(ROUTE.transform(), Map.of("pathForm", RouteTransform.PathForm.NORMAL));
        MinBodyRate rate = MinBodyRate.of(100);
        Route copy = TestRoute.with(TestRoute.with(ROUTE, normal), rate);
        assertThat(copy.transform()).isEqualTo(normal);
        assertThat(copy.minBodyRate()).isEqualTo(rate);
        assertThat(TestRoute.with(TestRoute.with(copy, ROUTE.transform()), MinBodyRate.NONE))
                .isEqualTo(ROUTE);
        assertThat(rate.over()).isEqualTo(Duration.ofMinutes(1));
        assertThat(ROUTE.challenge()).isEqualTo(ChallengeRule.DEFAULT);
    }

    @Test
    void aChallengeRuleKeepsItsIssuers() {
        List<String> issuers = new ArrayList<>(List.of("a"));
        ChallengeRule rule = new ChallengeRule(issuers, "", ChallengeRule.Context.EMPTY);
        issuers.add("b");
        assertThat(rule.issuers()).containsExactly("a");
    }

    @Test
    void aSnapshotIsCopiedWithOtherParts() {
        ErrorPageRenderer pages = (exchange, refused) -> null;
        Upstreams upstreams = new Upstreams(Map.of());
        LimitLookup limits = new LimitLookup() {};
        RoutingSnapshot snapshot =
                RoutingSnapshot.of(List.of(ROUTE)).with(pages).with(upstreams).with(limits);
        assertThat(snapshot.routes().all()).containsExactly(ROUTE);
        assertThat(snapshot.pages()).isSameAs(pages);
        assertThat(snapshot.upstreams()).isSameAs(upstreams);
        assertThat(snapshot.lookup()).isSameAs(limits);
        RoutingSnapshot plain = RoutingSnapshot.of(List.of(ROUTE));
        assertThat(plain.upstreams()).isSameAs(Upstreams.NONE);
        assertThat(plain.lookup()).isSameAs(LimitLookup.NONE);
    }

    @Test
    void anExchangeHasThePagesOfItsSnapshot() {
        ErrorPageRenderer pages = (exchange, refused) -> null;
        RequestHead head = new RequestHead().method(Method.GET).target("/", "");
        assertThat(TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of(ROUTE))
                        .get(ErrorPageRenderer.KEY))
                .isNull();
        assertThat(new MatchedExchange(
                                head, "", RoutingSnapshot.of(List.of(ROUTE)).with(pages))
                        .exchange()
                        .get(ErrorPageRenderer.KEY))
                .isSameAs(pages);
    }
}
