package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.Route.Token;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which requests fulfil the conditions of a route, and which of several routes with conditions a request gets. */
class RouteConditionsTest {

    /** Reads conditions: methods in upper case, {@code name:value} for a header, {@code ?name=value}, {@code ~name=value} for a cookie. */
    private static RouteConditions conditions(String text) {
        List<Method> methods = new ArrayList<>();
        List<RouteConditions.Header> headers = new ArrayList<>();
        List<RouteConditions.Pair> query = new ArrayList<>();
        List<RouteConditions.Pair> cookies = new ArrayList<>();
        for (String word : text.split(" ")) {
            int end = word.indexOf(word.startsWith("?") || word.startsWith("~") ? '=' : ':');
            if (end < 0) {
                methods.add(Method.of(word));
            } else if (word.startsWith("?") || word.startsWith("~")) {
                (word.startsWith("?") ? query : cookies)
                        .add(new RouteConditions.Pair(word.substring(1, end), word.substring(end + 1)));
            } else {
                headers.add(new RouteConditions.Header(FieldName.of(word.substring(0, end)), word.substring(end + 1)));
            }
        }
        return new RouteConditions(methods, headers, query, cookies);
    }

    /** @param text method, query behind {@code ?}, and fields between bars */
    private static RequestHead request(String text) {
        String[] parts = text.split(" \\| ");
        int query = parts[0].indexOf('?');
        String method = query < 0 ? parts[0] : parts[0].substring(0, query);
        RequestHead head = new RequestHead()
                .method(Method.of(method))
                .authority("a.example")
                .target("/x", query < 0 ? "" : parts[0].substring(query));
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            head.add(
                    FieldName.of(parts[i].substring(0, colon)),
                    parts[i].substring(colon + 1).strip());
        }
        return head;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "GET; GET; YES",
                "GET; HEAD; YES",
                "HEAD; GET; NO",
                "GET POST; POST; YES",
                "GET POST; PUT; NO",
                "GET; get; NO",
                "x-a:1; GET | X-A: 1; YES",
                "x-a:1; GET | X-A: 2; NO",
                "x-a:1; GET; NO",
                "x-a:b; GET | X-A: B; NO",
                "x-a:1; GET | X-A: 1 | X-A: 1; YES",
                "x-a:1; GET | X-A: 1 | X-A: 2; DOUBTFUL",
                "x-a:1; GET | X-A: 2 | X-A: 1; DOUBTFUL",
                "x-a:1; GET | X-A: 2 | X-A: 3; NO",
                "x-a:1; GET | X-A: 1, 2; NO",
                "x-a:*; GET | X-A: 1 | X-A: 2; YES",
                "x-a:*; GET; NO",
                "?v=2; GET?v=2; YES",
                "?v=2; GET?a=b&v=2&c; YES",
                "?v=2; GET?v=1; NO",
                "?v=2; GET; NO",
                "?v=2; GET?; NO",
                "?v=2; GET?%76=%32; YES",
                "?v=2; GET?v=2&v=2; YES",
                "?v=2; GET?v=1&v=2; DOUBTFUL",
                "?v=2; GET?v=2&%76=1; DOUBTFUL",
                "?v=a b; GET?v=a+b; NO",
                "?v=; GET?v; YES",
                "?v=*; GET?v=%zz; YES",
                "x-a:1 ?v=2; GET?v=2 | X-A: 1; YES",
                "x-a:1 ?v=2; GET?v=2&v=3 | X-A: 1; DOUBTFUL",
                "x-a:1 ?v=2; GET?v=2&v=3 | X-A: 2; NO",
            })
    void allConditionsMustHold(String conditions, String request, RouteConditions.Fit expected) {
        assertThat(conditions(conditions).fit(request(request))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "a=b; beta=1, YES",
        "beta=1, YES",
        "beta=2; a=1, NO",
        "xbeta=1, NO",
        "beta=1; beta=2, DOUBTFUL",
    })
    void cookiesMayBeInOneFieldOrSeveral(String cookies, RouteConditions.Fit expected) {
        RequestHead one = request("GET");
        one.add(FieldName.COOKIE, cookies);
        assertThat(conditions("~beta=1").fit(one)).isEqualTo(expected);
        RequestHead several = request("GET");
        Arrays.stream(cookies.split("; ")).forEach(pair -> several.add(FieldName.COOKIE, pair));
        assertThat(conditions("~beta=1").fit(several)).isEqualTo(expected);
    }

    private static Route route(String name, String host, String path, String conditions, Map<String, Object> other) {
        Route route = TestRoute.of(name, host, path, "app", Token.OFF, null, Preflight.FORWARD, Duration.ZERO, 0);
        Map<String, Object> changes = new HashMap<>(other);
        if (!conditions.isEmpty()) {
            changes.put("conditions", conditions(conditions));
        }
        return KeyDefaults.with(route, changes);
    }

    private static String matched(String request, Route... routes) {
        RequestHead head = request(request);
        Route found = new RouteTable(List.of(routes)).match(head, head.path());
        return found == null ? "none" : found.name();
    }

    /** The order of Gateway API: host, path, method, headers, query; then cookies, then the order of the configuration. */
    @Test
    void theMoreSpecificRouteWins() {
        Route[] routes = {
            route("second cookie", "*", "/", "~b=1", Map.of()),
            route("all", "*", "/", "", Map.of()),
            route("cookie", "*", "/", "~a=1", Map.of()),
            route("query", "*", "/", "?a=1", Map.of()),
            route("header", "*", "/", "x-a:1", Map.of()),
            route("two headers", "*", "/", "x-a:1 x-b:1", Map.of()),
            route("method", "*", "/", "POST", Map.of()),
            route("method and query", "*", "/", "POST ?a=1", Map.of()),
            route("path", "*", "/x", "?path=1", Map.of()),
            route("host", "a.example", "/", "?host=1", Map.of()),
        };
        assertThat(matched("GET", routes)).isEqualTo("all");
        assertThat(matched("GET | Cookie: a=1", routes)).isEqualTo("cookie");
        assertThat(matched("GET | Cookie: a=1 | Cookie: b=1", routes)).isEqualTo("second cookie");
        assertThat(matched("GET?a=1 | Cookie: a=1", routes)).isEqualTo("query");
        assertThat(matched("GET?a=1 | X-A: 1", routes)).isEqualTo("header");
        assertThat(matched("GET?a=1 | X-A: 1 | X-B: 1", routes)).isEqualTo("two headers");
        assertThat(matched("POST | X-A: 1 | X-B: 1", routes)).isEqualTo("method");
        assertThat(matched("POST?a=1", routes)).isEqualTo("method and query");
        assertThat(matched("POST?a=1&path=1", routes)).isEqualTo("path");
        assertThat(matched("POST?a=1&path=1&host=1", routes)).isEqualTo("host");
    }

    @Test
    void aRequestThatFulfilsNoConditionsHasNoRoute() {
        assertThat(matched("PUT", route("get", "*", "/", "GET", Map.of()))).isEqualTo("none");
    }

    private static Route[] pair(Map<String, Object> conditional, Map<String, Object> plain) {
        return new Route[] {
            route("conditional", "a.example", "/x", "?v=2", conditional), route("plain", "*", "/", "", plain)
        };
    }

    /** An upstream may read the first or the last of two values: whatever it reads, the client has done what that route requires. */
    @Test
    void aRequestWithTwoValuesGetsTheStricterRoute() {
        String doubtful = "GET?v=1&v=2";
        assertThat(matched(doubtful, pair(Map.of("token", Token.REQUIRED), Map.of())))
                .isEqualTo("conditional");
        assertThat(matched(doubtful, pair(Map.of(), Map.of("token", Token.REQUIRED))))
                .isEqualTo("plain");
        assertThat(matched(doubtful, pair(Map.of(), Map.of("token", Token.OPTIONAL))))
                .isEqualTo("plain");
        assertThat(matched(doubtful, pair(Map.of("token", Token.OPTIONAL), Map.of("token", Token.SESSION))))
                .isEqualTo("plain");
        assertThat(matched(doubtful, pair(Map.of(), Map.of("rateLimit", "site"))))
                .isEqualTo("plain");
        assertThat(matched(
                        doubtful,
                        pair(Map.of("token", Token.REQUIRED), Map.of("rateLimit", "site", "token", Token.OPTIONAL))))
                .isEqualTo("conditional");
        AddressRule addresses = new AddressRule(null, CidrSet.NONE);
        assertThat(matched(doubtful, pair(Map.of(), Map.of("addresses", addresses))))
                .isEqualTo("plain");
        assertThat(matched(doubtful, pair(Map.of("rateLimit", "site"), Map.of("addresses", addresses))))
                .isEqualTo("conditional");
        assertThat(matched(doubtful, pair(Map.of(), Map.of()))).as("as strict").isEqualTo("conditional");
        assertThat(matched("GET?v=2", pair(Map.of(), Map.of("token", Token.REQUIRED))))
                .isEqualTo("conditional");
        assertThat(matched("GET?v=1", pair(Map.of("token", Token.REQUIRED), Map.of())))
                .isEqualTo("plain");
    }

    @Test
    void aRequestWithTwoValuesNeedsARouteForBothReadings() {
        assertThat(matched("GET?v=1&v=2", route("conditional", "*", "/", "?v=2", Map.of())))
                .isEqualTo("none");
        assertThat(matched(
                        "GET?v=1&v=2",
                        route("one", "*", "/", "?v=1", Map.of()),
                        route("two", "*", "/", "?v=2", Map.of("token", Token.REQUIRED)),
                        route("any", "*", "/", "?v=*", Map.of())))
                .isEqualTo("two");
    }
}
