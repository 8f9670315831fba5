package dev.postern.core.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.RequestHead;
import dev.postern.core.testing.TestRoute;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RouteTableTest {

    private static Route route(String host, String path) {
        return TestRoute.of(host + path, host, path, "app", Route.Token.OFF, null, Preflight.FORWARD, Duration.ZERO, 0);
    }

    private final RouteTable table = new RouteTable(List.of(
            route("*", "/"),
            route("*", "/api"),
            route("*.example", "/"),
            route("*.shop.example", "/"),
            route("www.example", "/api/v1"),
            route("www.example", "/static/")));

    private String match(String host, String path) {
        Route found = table.match(new RequestHead().authority(host), path);
        return found == null ? "none" : found.name();
    }

    @Test
    void prefersAnExactHostThenTheLongestSuffixThenAny() {
        assertThat(match("www.example", "/api/v1/x")).isEqualTo("www.example/api/v1");
        assertThat(match("a.shop.example", "/")).isEqualTo("*.shop.example/");
        assertThat(match("b.example", "/")).isEqualTo("*.example/");
        assertThat(match("other", "/")).isEqualTo("*/");
        assertThat(match("example", "/")).isEqualTo("*/");
    }

    @Test
    void fallsBackToTheNextHostWhenNoPathFits() {
        assertThat(match("www.example", "/none")).isEqualTo("*.example/");
    }

    @Test
    void matchesPathsOnSegmentBordersOnly() {
        assertThat(match("other", "/api")).isEqualTo("*/api");
        assertThat(match("other", "/api/x")).isEqualTo("*/api");
        assertThat(match("other", "/apix")).isEqualTo("*/");
        assertThat(match("www.example", "/static/x")).isEqualTo("www.example/static/");
    }

    @Test
    void findsNoRouteForUnknownHosts() {
        RouteTable small = new RouteTable(List.of(route("a.example", "/x")));
        assertThat(small.match(new RequestHead().authority("a.example"), "/y")).isNull();
        assertThat(small.serves("a.example")).isTrue();
        assertThat(small.serves("b.example")).isFalse();
    }
}
