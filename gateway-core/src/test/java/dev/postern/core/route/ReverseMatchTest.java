package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.transform.HeaderModification;
import dev.postern.core.route.transform.HeaderModifications;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.route.transform.Template;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a reverse listener does with a request: a route, an endpoint of the gateway, or a refusal. */
class ReverseMatchTest {

    private static final InternalEndpoint KEYS = exchange -> exchange.reply(LocalReply.of(299, "", ""));

    private static Route route(String pattern, long maxBody) {
        int path = pattern.indexOf('/');
        return TestRoute.of(
                pattern,
                pattern.substring(0, path),
                pattern.substring(path),
                "app",
                Route.Token.OFF,
                null,
                Preflight.FORWARD,
                Duration.ZERO,
                maxBody);
    }

    private static RoutingSnapshot snapshot(String routes) {
        List<Route> all = routes.isEmpty()
                ? List.of()
                : Arrays.stream(routes.split(" ")).map(one -> route(one, 0)).toList();
        return new RoutingSnapshot(new RouteTable(all), Map.of(), Map.of("/.postern/keys/", KEYS));
    }

    private static MatchedExchange match(RequestHead head, String routes) {
        return new MatchedExchange(head, "", snapshot(routes));
    }

    @ParameterizedTest(name = "{0}: {1} {2}{3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "*/ | GET | a | /x | */",
                "*/ */x | GET | a | /x | */x",
                "*/ | TRACE | a | /x | method-refused",
                "*/ | CONNECT | a | /x | method-refused",
                "b/ | TRACE | a | /x | method-refused",
                "*/ | OPTIONS | a | * | 204",
                "*/ | OPTIONS | a | /x | */",
                "b/ | OPTIONS | a | * | misdirected",
                "b/ | GET | a | /x | misdirected",
                "b/ | GET | b:8080 | /x | b/",
                "*.b/ | GET | a.b | /x | *.b/",
                "*.b/ | GET | b | /x | misdirected",
                "a/x | GET | a | /y | route-not-found",
                "'' | GET | a | /x | misdirected",
                "*/ | GET | a | /.postern/keys/1 | 299",
                "b/ | GET | a | /.postern/keys/1 | 299",
                "*/ | POST | a | /.postern/keys/1 | 299",
                "*/ | GET | a | /.postern/other | route-not-found",
                "*/ | GET | a | /.postern | */"
            })
    void requestsEndAtARouteAnEndpointOrARefusal(
            String routes, String method, String authority, String path, String expected) {
        assertThat(match(MatchedExchange.head(method, authority, path), routes).result())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS, 0, 204",
        "OPTIONS, 1, */",
        "OPTIONS, '', request-malformed",
        "OPTIONS, -1, request-malformed",
        "OPTIONS, one, request-malformed",
        "GET, 0, */"
    })
    void maxForwardsEndsOptionsHere(String method, String value, String expected) {
        RequestHead head = MatchedExchange.head(method, "a", "/x", "max-forwards:" + value);
        assertThat(match(head, "*/").result()).isEqualTo(expected);
    }

    @Test
    void maxForwardsIsOneLessFurtherOn() {
        RequestHead head = MatchedExchange.head("OPTIONS", "a", "/x", "max-forwards:5");
        match(head, "*/");
        assertThat(head.value(FieldName.MAX_FORWARDS)).isEqualTo("4");
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.0/24, address-denied", "198.51.100.0/24, */"})
    void aRouteDeniesClients(String denied, String expected) {
        AddressRule addresses = new AddressRule(null, CidrSet.of(List.of(denied)));
        Route route = KeyDefaults.with(route("*/", 0), Map.of("addresses", addresses));
        MatchedExchange matched =
                new MatchedExchange(MatchedExchange.head("GET", "a", "/x"), "", RoutingSnapshot.of(List.of(route)));
        assertThat(matched.result()).isEqualTo(expected);
    }

    @Test
    void maxForwardsOfAHostThatIsNotServedIsNotLookedAt() {
        RequestHead head = MatchedExchange.head("OPTIONS", "a", "/x", "max-forwards:0");
        assertThat(match(head, "b/").result()).isEqualTo("misdirected");
    }

    @ParameterizedTest
    @CsvSource({"10, 9, */", "10, 10, */", "10, 11, body-too-large", "10, -1, */", "0, 1000000, */"})
    void aRouteLimitsTheBodyThatARequestAnnounces(long max, long length, String expected) {
        RequestHead head = MatchedExchange.head("POST", "a", "/x").bodyLength(length);
        RoutingSnapshot snapshot = RoutingSnapshot.of(List.of(route("*/", max)));
        assertThat(new MatchedExchange(head, "", snapshot).result()).isEqualTo(expected);
    }

    @Test
    void aRouteCompletesTheGatewaysOwnResponses() {
        HeaderModifications response = new HeaderModifications(
                List.of(), List.of(new HeaderModification(FieldName.of("x-site"), Template.of("app"))), List.of());
        Route route =
                TestRoute.with(route("*/", 0), KeyDefaults.with(RouteTransform.PLAIN, Map.of("response", response)));
        MatchedExchange matched =
                new MatchedExchange(MatchedExchange.head("GET", "a", "/"), "", RoutingSnapshot.of(List.of(route)));
        matched.exchange().reply(LocalReply.of(200, "text/plain", "hello"));
        assertThat(matched.response().value(FieldName.of("x-site"))).isEqualTo("app");
        assertThat(matched.response().body()).isEqualTo("hello");
    }

    @Test
    void onlyAMatchedExchangeHasARoute() {
        Exchange unmatched =
                match(MatchedExchange.head("TRACE", "a", "/"), "*/").exchange();
        assertThat(Route.orNull(unmatched)).isNull();
        assertThatThrownBy(() -> Route.of(unmatched)).hasMessage("route: none (expected: a stage after match)");
    }

    @Test
    void anExchangeHasTheSnapshotOfItsBeginning() {
        Exchange exchange = match(MatchedExchange.head("GET", "a", "/"), "*/").exchange();
        RoutingSnapshot first = RoutingSnapshot.of(exchange);
        assertThat(first.routes().all()).extracting(Route::name).containsExactly("*/");
        Exchange other = new Exchange(
                TestExchanges.UNTRUSTED,
                exchange.request(),
                new Exchange.Carrier(exchange.body(), exchange.response(), exchange.turn()),
                exchange.timeline());
        assertThatThrownBy(() -> RoutingSnapshot.of(other))
                .hasMessage("routing snapshot: none (expected: one since the exchange was created)");
    }
}
