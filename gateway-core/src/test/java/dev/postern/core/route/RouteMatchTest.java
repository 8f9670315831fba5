package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http1.HeadBytes;
import dev.postern.core.route.transform.Redirect;
import dev.postern.core.route.transform.Rewrite;
import dev.postern.core.route.transform.RouteTransform;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import io.netty.util.concurrent.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that every reading of path and host leads to one route, or the request is refused. */
class RouteMatchTest {

    private static Route route(String pattern) {
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
                0);
    }

    /** Returns the route, the code of the refusal, {@code own}, or {@code malformed} when the head is refused. */
    private static String result(String target, String host, List<Route> routes) {
        return result(target, host, routes, head -> {});
    }

    private static String result(String target, String host, List<Route> routes, Consumer<RequestHead> look) {
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
        look.accept(head);
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

    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "*/ | /bucket/dir//file | */",
                "*/ */bucket | /bucket/dir//file | */bucket",
                "*/ */bucket | /bucket//lead | */bucket",
                "*/ */bucket | /bucket/a/./b | */bucket",
                "*/ */bucket | /bucket/a/../b | */bucket",
                "*/ */render | /render/https://x | */render",
                "*/ */bucket | /bucket/../b | request-malformed",
                "*/ */api | //api/secret | request-malformed",
                "*/ */api | /./api/secret | request-malformed",
                "*/ */api | //x/api/secret | request-malformed",
                "*/ */api | ///x/api/secret | request-malformed",
                "*/ */api | /%2Fx/api/secret | request-malformed",
                "*/ */api | //api/other | request-malformed",
                "*/ */api | //lead | */",
                "*/ */api | //lead/x | */",
                "*/ api.example/ | //api.example/x | request-malformed",
                "*/ api.example/ | //u@API.example.:80/x | request-malformed",
                "*/ *.example/ | //x.example | request-malformed",
                "*/ api.example/ | ////api.example/x | request-malformed",
                "*/ api.example/ | ///API.example | request-malformed",
                "*/ api.example/ | //api%E3%80%82example/x | request-malformed",
                "*/ api.example/ | //%ef%bd%81pi.example/x | request-malformed",
                "*/ api.example/ | //x/caf%C3%A9 | */",
                "*/ | //caf%C3%A9/x | */",
                "*/ api.example/ | /;/api.example/x | request-malformed",
                "*/ api.example/ | /x//api.example/x | */",
                "a/ api.example/ | //lead/x | a/",
                "a/ */ | //lead/x | a/",
                "a/ */ | //a/x | a/",
                "*/ */api | /x/../api/secret | request-malformed",
                "*/ */api | /x//../../api/secret | malformed",
                "*/ */api | /x//../api/secret | request-malformed",
                "*/ */api | /%61pi/secret | request-malformed",
                "*/ */api | /a%70i/secret | request-malformed",
                "*/ */api | /api/../x | request-malformed",
                "*/ */api | /api/.. | request-malformed",
                "*/ */api | /api//../x | request-malformed",
                "*/ */api | /api/. | */api",
                "*/ */api | /api/// | */api",
                "*/ */api | /other/../x | */",
                "*/ */api */api/open | /api/open/../secret | request-malformed",
                "*/ */api */api/open | /api//open/x | request-malformed",
                "*/ */api */api/open | /api/%6fpen/x | request-malformed",
                // Twice decoded, with dot segments kept.
                "*/ */@ | /%2540/%252e%252e/x | request-malformed",
                // The digits of an escape are the same in each case (RFC 3986 section 6.2.2.1).
                "*/ */caf%C3%A9 | /caf%c3%a9/x | */caf%C3%A9",
                "*/ | //.postern/room/x | request-malformed",
                "*/ | /%2epostern/room/x | request-malformed",
                "*/ | /x/../.postern/room/x | request-malformed",
                "*/ | /.postern/../x | request-malformed",
                "*/api | //api/x | request-malformed",
                "*/api | //other/x | route-not-found",
                "*/ | /../x | malformed",
                "*/ | /x/../../y | malformed",
                "*/ | /x//../../y | malformed",
                "*/ | /a//b/%2561;x/y%3Fz | request-malformed"
            })
    void everyReadingOfTheClientsSpellingHasOneRoute(String routes, String path, String expected) {
        List<Route> all = new ArrayList<>();
        for (String result : routes.split(" ")) {
            all.add(route(result));
        }
        assertThat(result(path, "a", all)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @CsvSource({
        "/bucket/dir//file, /bucket/dir//file, /bucket/dir/file",
        "//lead?q=a//b, //lead?q=a//b, /lead?q=a//b",
        "/a/./b, /a/./b, /a/b",
        "/a/../b, /a/../b, /b",
        "/render/https://x, /render/https://x, /render/https:/x",
        "/%7euser/%2fx, /%7euser/%2fx, /~user/%2Fx",
        "/a;v=1, /a;v=1, /a;v=1",
        "http://a/x//y?q, /x//y?q, /x/y?q",
        "http://a?q, /?q, /?q"
    })
    void upstreamsGetTheClientsSpellingOrTheNormalForm(String target, String asSent, String normal) {
        Route route = route("*/");
        assertThat(result(
                        target,
                        "a",
                        List.of(route),
                        head -> assertThat(outgoing(head)).isEqualTo(asSent)))
                .isEqualTo("*/");
        Route other = TestRoute.with(
                route, KeyDefaults.with(route.transform(), Map.of("pathForm", RouteTransform.PathForm.NORMAL)));
        assertThat(result(
                        target,
                        "a",
                        List.of(other),
                        head -> assertThat(outgoing(head)).isEqualTo(normal)))
                .isEqualTo("*/");
    }

    private static String outgoing(RequestHead head) {
        return new String(
                head.bytes(), head.targetStart(), head.targetEnd() - head.targetStart(), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "//api/secret, */api",
        "/%61pi/secret, */api",
        "/x/../api/secret, */api",
        "/api/../x, */",
        "/api%2Fsecret, request-malformed"
    })
    void theNormalFormHasItsOwnReadings(String path, String expected) {
        List<Route> routes = new ArrayList<>();
        for (String one : List.of("*/", "*/api")) {
            Route route = route(one);
            routes.add(TestRoute.with(
                    route, KeyDefaults.with(route.transform(), Map.of("pathForm", RouteTransform.PathForm.NORMAL))));
        }
        assertThat(result(path, "a", routes)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"/new, */", "/new%2F, */", "//new, request-malformed", "/%6eew, request-malformed", "//old, */"})
    void everyReadingIsRedirectedAlike(String path, String expected) {
        RouteTransform transform =
                KeyDefaults.with(RouteTransform.PLAIN, Map.of("redirect", Redirect.of("/new", 307, "*")));
        assertThat(result(path, "a", List.of(TestRoute.with(route("*/"), transform))))
                .isEqualTo(expected);
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
        RouteTransform transform = KeyDefaults.with(
                RouteTransform.PLAIN, Map.of("rewrite", Rewrite.of("^/files/([^/]+)$ -> /raw/$1", "/")));
        assertThat(result(path, "a", List.of(TestRoute.with(route("*/"), transform))))
                .isEqualTo(expected);
    }
}
