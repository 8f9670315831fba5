package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathReadingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/api/secret",
                "/a.b/c~d",
                "/@user:x",
                "/a%20b",
                "/caf%C3%A9",
                "/50%25",
                "/50%25off",
                "/a%22"
            })
    void unambiguousPathsHaveOneReading(String path) {
        assertThat(PathReadings.others(path)).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/api%2Fsecret | /api/secret",
                "/%2Fapi/secret | /api/secret",
                "/a%2Fb%2Fc | /a/b/c",
                "/%40user | /@user",
                "/api;v=1/x | /api/x",
                "/;x/api/secret | /api/secret",
                "/;/api | /api",
                "/;x=1/;y/api | /api",
                "/api/; | /api/",
                // Parameters that end at an encoded slash, or do not.
                "/;a%2Fb/api | /;a/b/api /api /b/api",
                // Tomcat removes parameters, then decodes; other servers decode first.
                "/x%3Bv%2Fapi | /x;v/api /x/api",
                "/%3Bx/api | /;x/api /api",
                // Decoded again by an application behind the server.
                "/%2561pi | /%61pi /api",
                "/%252561pi | /%2561pi /%61pi /api",
                "/api%252Fsecret | /api%2Fsecret /api/secret",
                "/api%255Csecret | /api%5Csecret /api/secret",
                "/a/%252e%252e/api | /a/%2E%2E/api /api",
                "/api%2500.html | /api%00.html /api",
                "/api%3Fx | /api",
                "/api%23x | /api",
                "/%253fx | /%3Fx /"
            })
    void findsTheReadingsOfServers(String path, String others) {
        assertThat(PathReadings.others(path)).containsExactlyInAnyOrder(others.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%252e%252e/x", "/a/%252e%252e%252f%252e%252e/x", "/..%3Fx"})
    void refusesReadingsAboveTheRoot(String path) {
        assertThat(PathReadings.others(path)).isNull();
    }

    @Test
    void limitsTheNumberOfReadings() {
        assertThat(PathReadings.others("/" + "%3B%253Ba%25253Bb%2525253Bc;d/x%2525252F".repeat(400)))
                .isNull();
        assertThat(PathReadings.others("/" + "a%2Fb;c/".repeat(2000))).hasSize(3);
    }

    @Test
    void readingsHaveTheSameReadings() {
        List<String> others = PathReadings.others("/a;b%252Fc%3Bd/e");
        assertThat(others)
                .isNotNull()
                .allSatisfy(other ->
                        assertThat(PathReadings.others(other)).isNotNull().isSubsetOf(others));
    }
}
