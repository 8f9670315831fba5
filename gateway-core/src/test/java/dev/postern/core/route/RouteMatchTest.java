package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that every reading of path and host leads to one route, or the request is refused. */
class RouteMatchTest {

    private static Route route(String pattern) {
        int path = pattern.indexOf('/');
        return new Route(
                pattern,
                pattern.substring(0, path),
                pattern.substring(path),
                "app",
                Route.Token.OFF,
                null,
                Route.Preflight.FORWARD,
                Duration.ZERO,
                0);
    }

    /** Returns the route, the code of the refusal, {@code own}, or {@code malformed} when the head is refused. */
    private static String result(String target, String host, List<Route> routes) {
        RequestHead head = HeadBytes.read("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        if (head == null) {
            return "malformed";
        }
        Exchange unrouted = TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of());
        Exchange exchange = RoutingSnapshot.of(routes)
                .rule(new Exchange(
                        unrouted.client(),
                        head,
                        new Exchange.Carrier(unrouted.body(), unrouted.response(), unrouted.turn()),
                        new Timeline(Ticker.newMockTicker())));
        RouteMatch.Result result = RouteMatch.of(exchange);
        if (result.refusal() != null) {
            return result.refusal().code();
        }
        @Nullable Route route = Route.orNull(exchange);
        return route == null ? "own" : route.name();
    }

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "*/ */api | /api/secret | */api",
                "*/ */api | /api%2Fsecret | request-malformed",
                "*/ */api | /%2Fapi/secret | request-malformed",
                "*/ */api | /%2fapi%2fsecret | request-malformed",
                "*/ | /api%2Fsecret | */",
                "*/ */api | /api/a%2Fb | */api",
                "*/ */api | /;x/api/secret | request-malformed",
                "*/ */api | /;/api/secret | request-malformed",
                "*/ */api | /;x=1/;y/api/secret | request-malformed",
                "*/ */api | /api;v=1/x | request-malformed",
                "*/ */api | /api/x;v=1 | */api",
                "*/ | /api;v=1/x | */",
                "*/api | /api;v=1/x | request-malformed",
                "*/api | /other;v=1/x | route-not-found",
                "*/ */api | /%2561pi/x | request-malformed",
                "*/ */api | /x%3B/..%3B | malformed",
                "*/ */api | /api/x/%252e%252e/y | */api",
                "*/ */api | /api/%252e%252e/y | request-malformed",
                "*/ */@user | /%40user/x | request-malformed",
                "*/ */a%20b | /a%20b/c%2Fd | */a%20b",
                "*/ | /.postern%2Froom%2Fx | request-malformed",
                "*/ | /;x/.postern/room/x | request-malformed",
                "*/ | /a%2F.postern/room | */",
                "b/ | /a%2Fb | misdirected"
            })
    void everyReadingOfAPathHasOneRoute(String routes, String path, String expected) {
        List<Route> all = new ArrayList<>();
        for (String result : routes.split(" ")) {
            all.add(route(result));
        }
        assertThat(result(path, "a", all)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "/x, api.example, api.example/",
        "/x, API.example., api.example/",
        "/x, api.example.:80, api.example/",
        "http://api.example./x, api.example, api.example/",
        "http://Api.example.:80/x, api.example, api.example/",
        "/x, api.example.., malformed",
        "/x, .api.example, malformed",
        "/x, api%2Eexample, malformed",
        "/x, 'api.example,x', malformed",
        "http://api.example./x, other.example, malformed",
        "/x, other.example, */"
    })
    void normalizesHosts(String target, String host, String expected) {
        assertThat(result(target, host, List.of(route("*/"), route("api.example/"))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"/files/a/b, */", "/files/a%20b, */", "/files/a%2Fb, request-malformed", "/other/a%2Fb, */"})
    void refusesReadingsThatAreRewrittenDifferently(String path, String expected) {
        RouteTransform plain = RouteTransform.PLAIN;
        RouteTransform transform = new RouteTransform(
                plain.request(),
                plain.response(),
                Rewrite.of("^/files/([^/]+)$ -> /raw/$1", "/"),
                plain.redirect(),
                plain.maintenance(),
                plain.policy());
        assertThat(result(path, "a", List.of(route("*/").with(transform)))).isEqualTo(expected);
    }
}
