package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.http.PathReadings;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RewriteTest {

    @ParameterizedTest(name = "{0} of {1}: {2} -> {3}")
    @CsvSource({
        "/v1, /api, /api, /v1",
        "/v1, /api, /api/, /v1/",
        "/v1, /api, /api/x, /v1/x",
        "/v1/, /api/, /api/x, /v1/x",
        "/, /api, /api, /",
        "/, /api, /api/x/y, /x/y",
        "/app, /, /, /app/",
        "/app, /, /x, /app/x",
        "/v1, /api, /api;v=2/x, /v1;v=2/x",
    })
    void replacesTheRoutesPathByThePrefix(String rewrite, String route, String path, String expected) {
        assertThat(Rewrite.of(rewrite, route).apply(path)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                // A segment with an encoded slash is captured unchanged, and all readings of the rewritten path agree.
                "^/user/([0-9]+)/(.*)$ -> /u/$2/$1 | /user/7/a%2Fb | true",
                "^/user/([0-9]+)/(.*)$ -> /u/$2/$1 | /user/7/a;v=1/b | true",
                "/v1 | /api/a%2Fb;x | true",
                "^/old%20docs/(.*) -> /new/$1 | /old%20docs/a%2Fb | true",
                // One segment to the pattern, two to an upstream that decodes: the pattern rewrites only one of these
                // readings.
                "^/files/([^/]+)$ -> /raw/$1 | /files/a%2Fb | false",
                "^/files/([^/]+)/.*$ -> /raw/$1 | /files/a%2Fb/c | false",
                "^/files/(.*)$ -> /raw/$1 | /files%2Fsecret | false",
                "^/files/([^;]+)$ -> /raw/$1 | /files/a;v=1 | false",
                "^/@(.*)$ -> /users/$1 | /%40me | false",
                "^/x/(.*)$ -> /%2e%2e/$1 | /x/a%2Fb | true"
            })
    void rewritesAllReadingsAlikeOrNone(String text, String path, boolean agrees) {
        Set<String> others = Objects.requireNonNull(PathReadings.of(path));
        assertThat(others).hasSizeGreaterThan(1);
        assertThat(Rewrite.of(text, "/api").agrees(path, others)).isEqualTo(agrees);
    }

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "^/user/([0-9]+)$ -> /u/$1 | /user/7 | /u/7",
                "/user/([0-9]+) -> /u/$1 | /user/7/x | /user/7/x",
                "/([ab])/(.*) -> /$2/$1 | /a/x/y | /x/y/a",
                "(/.*) -> $1.html | /page | /page.html",
                "/x -> /y/$0 | /x | /y/x",
            })
    void patternCoversTheWholePathOrChangesNothing(String rewrite, String path, String expected) {
        assertThat(Rewrite.of(rewrite, "/").apply(path)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/(.*) -> $1 | /x",
                "/x(.*) -> /.$1 | /x./a",
                "/(.*) -> /a%5c$1 | /x",
                "/(.*) -> /a%2$1 | /x",
                // Servers that decode the path read its end at the escape: what stands before it is above the root.
                "/(.*) -> /..%23/$1 | /x",
                "/(.*) -> /$1%3F/x | /..",
                "/([0-9])/(.*) -> /..%2$1/$2 | /3/x",
            })
    void refusesAResultThatARequestCannotHave(String text, String path) {
        assertThat(Rewrite.of(text, "/").apply(path)).isNull();
    }

    @Test
    void acceptsAResultWithReadingsThatStayBelowTheRoot() {
        assertThat(Rewrite.of("/(.*) -> /a%23/$1", "/").apply("/x")).isEqualTo("/a%23/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/..", "/..%23/./x", "/%2e%2e/x", "/..;v=1/x", "/a%5cb", "/a%2", "/a%00"})
    void refusesAPrefixThatWouldFailForEachRequest(String prefix) {
        assertThatThrownBy(() -> Rewrite.of(prefix, "/api"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(prefix + " (expected: a path that a request may have: no broken escape, ");
    }

    @Test
    void comparesAllReadingsOfAPathWithinOneNumberOfSteps() {
        Rewrite rewrite = Rewrite.of("/api/(a*)*b?c -> /x", "/");
        String slow = "/api/" + "a".repeat(300) + "%2561;v/x";
        Set<String> readings = Objects.requireNonNull(PathReadings.of(slow));
        assertThat(readings).hasSizeGreaterThan(4);
        assertThat(Rewrite.allowed(readings)).isLessThanOrEqualTo(100_000);
        assertThat(rewrite.agrees("/api/x", readings)).isFalse();
        assertThat(Rewrite.of("/api/(.*)/(.*) -> /$2/$1", "/")
                        .agrees("/api/a%2561;v/x", Objects.requireNonNull(PathReadings.of("/api/a%2561;v/x"))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1000})
    void stepsOfReadingsGrowWithTheirCharacters(int length) {
        assertThat(Rewrite.allowed(Set.of("/" + "a".repeat(length)))).isLessThanOrEqualTo(1000 + 64 * (length + 1));
    }

    @Test
    void abortsPatternsThatTakeTooLong() {
        assertThat(Rewrite.of("/a*a*a*a*a*b -> /x", "/").apply("/" + "a".repeat(300)))
                .isNull();
        String deep = "/" + "ab".repeat(2000);
        assertThat(Rewrite.of("(/|a|b)*c -> /x", "/").apply(deep)).isIn(null, deep);
        assertThat(Rewrite.of(".* -> /x", "/").apply("/" + "a".repeat(5000))).isNull();
        assertThat(Rewrite.of(".* -> /x", "/").apply("/" + "a".repeat(4000))).isEqualTo("/x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "new | a path such as /new, or PATTERN -> /new/$1",
                "/new?q | a path such as /new",
                "/new path | a path such as /new",
                "( -> /x | before the arrow a regular expression: Unclosed group",
                "/(.*) -> x | behind the arrow a path",
                "/(.*) -> /$2 | behind $ the number of a group, 0..1",
                "/(.*) -> /$ | behind $ the number of a group",
                "/(.*) -> /$1?q | behind the arrow a path",
            })
    void namesTheExpectedValue(String text, String expected) {
        assertThatThrownBy(() -> Rewrite.of(text, "/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(text + " (expected: " + expected);
    }
}
