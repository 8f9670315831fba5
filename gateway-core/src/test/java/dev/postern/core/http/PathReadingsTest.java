package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathReadingsTest {

    /** Returns the readings beside the path itself. */
    private static Set<String> others(String path) {
        Set<String> others = new LinkedHashSet<>(Objects.requireNonNull(PathReadings.of(path)));
        others.remove(path);
        return others;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "*",
                "/api/secret",
                "/a.b/c~d",
                "/.well-known/x",
                "/a/...",
                "/@user:x",
                "/a%20b",
                "/caf%C3%A9",
                "/50%25",
                "/50%25off",
                "/a%22"
            })
    void unambiguousPathsHaveOneReading(String path) {
        assertThat(others(path)).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/api%2Fsecret | /api/secret",
                "/%2Fapi/secret | //api/secret /api/secret /secret",
                "/a%2Fb%2Fc | /a/b/c",
                "/%40user | /@user",
                "/api;v=1/x | /api/x",
                "/;x/api/secret | //api/secret /api/secret /secret",
                "/;/api | //api /api /",
                "/;x=1/;y/api | ///api /api /",
                "/api/; | /api/",
                // Parameters that end at an encoded slash, or do not.
                "/;a%2Fb/api | /;a/b/api //api /api //b/api /b/api /",
                // Tomcat removes parameters, then decodes; other servers decode first.
                "/x%3Bv%2Fapi | /x;v/api /x/api",
                "/%3Bx/api | /;x/api //api /api /",
                // Decoded again by an application behind the server.
                "/%2561pi | /%61pi /api",
                "/%252561pi | /%2561pi /%61pi /api",
                "/api%252Fsecret | /api%2Fsecret /api/secret",
                "/api%255Csecret | /api%5Csecret /api/secret",
                "/a/%252e%252e/api | /a/%2E%2E/api /a/../api /api",
                "/api%2500.html | /api%00.html /api",
                "/api%3Fx | /api",
                "/api%23x | /api",
                "/%253fx | /%3Fx /"
            })
    void findsTheReadingsOfServers(String path, String others) {
        assertThat(others(path)).containsExactlyInAnyOrder(others.split(" "));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/%61pi/x | /api/x",
                "/%7euser | /~user",
                "/bucket/dir//file | /bucket/dir/file",
                "/bucket//lead | /bucket/lead",
                "/bucket/a/./b | /bucket/a/b",
                "/bucket/a/../b | /bucket/b",
                "/render/https://x | /render/https:/x",
                "/x/../api | /api",
                "//api | /api /",
                "/./api | /api",
                // The path of a reference with an authority (RFC 3986 section 4.2, WHATWG URL).
                "//x/api/secret | /x/api/secret /api/secret",
                "//x:1 | /x:1 /",
                "///x/api | /x/api /api",
                "// | /",
                // Dot segments resolved before empty segments are merged (RFC 3986), and after (nginx).
                "/a//../b | /a/b /a/../b /b",
                "/x/%2e%2e/api | /x/../api /api",
                "/x/.%2E/api | /x/../api /api",
                "/api/. | /api/",
                "/api/.. | /",
                "/x/..//api | //api /x/../api /api /",
                "/x//%2e%2e/api | /x//../api /x/%2E%2E/api /x/../api /x/api /api"
            })
    void findsTheReadingsOfTheClientsSpelling(String path, String others) {
        Set<String> readings = new LinkedHashSet<>(Objects.requireNonNull(PathReadings.of(path)));
        assertThat(readings.iterator().next()).isEqualTo(PathRules.upperCase(path));
        readings.remove(PathRules.upperCase(path));
        assertThat(readings).containsExactlyInAnyOrder(others.split(" "));
        assertThat(readings).contains(PathRules.normalise(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%252e%252e/x", "/a/%252e%252e%252f%252e%252e/x", "/..%3Fx", "/a//..;/../..;/.."})
    void refusesReadingsAboveTheRoot(String path) {
        assertThat(PathReadings.of(path)).isNull();
    }

    @Test
    void limitsTheNumberOfReadings() {
        String most = "/a//b/%2561;x/y";
        assertThat(PathReadings.of(most)).hasSize(12);
        assertThat(PathReadings.of(most + "%3Fz")).isNull();
    }

    @Test
    void limitsTheCharactersOfTheReadingsBesideThePath() {
        assertThat(PathReadings.of("/" + "a".repeat(100_000))).hasSize(1);
        assertThat(PathReadings.of("/%40" + "a".repeat(PathReadings.MAX_LENGTH - 2)))
                .hasSize(2);
        assertThat(PathReadings.of("/%40" + "a".repeat(PathReadings.MAX_LENGTH - 1)))
                .isNull();
    }

    static Stream<String> longPaths() {
        List<String> units = List.of(
                "a%2Fb;c/",
                "%3B%253Ba%25253Bb%2525253Bc;d/x%2525252F",
                "%25252525252561",
                "x/%252e%252e/",
                "//./a/../",
                ";a%2Fb%3B",
                "%2523%253F%2500",
                "/../a//b/.",
                "%255C%2525252F;");
        return units.stream()
                .flatMap(unit ->
                        Stream.of(8, 753, 8000).map(length -> "/a/b/c/" + unit.repeat(1 + length / unit.length())));
    }

    @ParameterizedTest
    @MethodSource("longPaths")
    void eachCharacterIsCopiedBoundedlyOften(String path) {
        PathReadings readings = PathReadings.derive(path);
        assertThat(readings.copied()).isLessThanOrEqualTo(7L * PathReadings.MAX_READINGS * path.length());
        Set<String> set = readings.set();
        if (set != null) {
            assertThat(set).hasSizeLessThanOrEqualTo(PathReadings.MAX_READINGS);
            assertThat(set.stream().mapToInt(String::length).sum() - path.length())
                    .isLessThanOrEqualTo(PathReadings.MAX_LENGTH);
        }
    }

    @Test
    void readingsHaveTheSameReadings() {
        Set<String> readings = PathReadings.of("/a;b%252Fc%3Bd/e");
        assertThat(readings)
                .isNotNull()
                .allSatisfy(
                        other -> assertThat(PathReadings.of(other)).isNotNull().isSubsetOf(readings));
    }
}
