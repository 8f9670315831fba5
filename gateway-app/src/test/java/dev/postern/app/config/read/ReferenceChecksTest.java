package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that elements that no key names are warnings. */
class ReferenceChecksTest {

    private static final String ISSUERS =
            "[{name: a.example, directory: 'https://a.example/'}, {name: b.example, directory: 'https://b.example/'}]";

    @TempDir
    private static Path folder;

    private static CompleteConfiguration complete;

    @BeforeAll
    static void files() throws IOException {
        complete = CompleteConfiguration.in(folder);
    }

    private static List<String> warnings(Map<String, String> values) {
        return complete.with(values).warnings().stream()
                .filter(warning -> warning.text().contains("no effect"))
                .map(Problem::toString)
                .toList();
    }

    @Test
    void namedElementsAreNone() {
        assertThat(warnings(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "upstreams.1 ~ {name: old, endpoints: ['a:1']} ~ upstreams.1.name: old: no effect without"
                        + " routes[].upstream: old; set that, or remove old",
                "rate-limits.1 ~ {name: old, rate: 1/s} ~ rate-limits.1.name: old: no effect without routes[].rate-limit:"
                        + " old or forward.<name>.rate-limit: old; set one, or remove old",
                "forward.old ~ {} ~ forward.old: no effect without listeners[].forward: old; set that, or remove old",
            })
    void anElementThatNoKeyNamesIsAWarning(String key, String value, String expected) {
        assertThat(warnings(Map.of(key, value)))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:")
                .endsWith(": " + expected);
    }

    @Test
    void aForwardPolicyNamesItsRateLimit() {
        assertThat(warnings(Map.of("rate-limits.1", "{name: other, rate: 1/s}", "forward.default.rate-limit", "other")))
                .isEmpty();
    }

    @Test
    void anIssuerThatNoRouteNamesIsAWarning() {
        Map<String, String> named = Map.of(
                "privacy-pass.issuers",
                ISSUERS,
                "routes.0.challenge.issuers",
                "[a.example]",
                "forward.default.token",
                "off");
        assertThat(warnings(named))
                .singleElement()
                .asString()
                .endsWith(": privacy-pass.issuers.1.name: b.example: no effect without routes[].challenge.issuers:"
                        + " b.example; set that, or remove b.example");
    }

    @Test
    void aRouteOrAPolicyWithoutIssuersNamesAll() {
        assertThat(warnings(Map.of("privacy-pass.issuers", ISSUERS, "forward.default.token", "off")))
                .isEmpty();
        assertThat(warnings(Map.of("privacy-pass.issuers", ISSUERS, "routes.0.challenge.issuers", "[a.example]")))
                .isEmpty();
    }

    @Test
    void aWrongNameCausesNoFurtherFinding() {
        assertThat(warnings(Map.of("routes.0.upstream", "ap"))).isEmpty();
    }
}
