package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests problems between a key and the defaults of other keys: they are reported with position, together with all others. */
class CrossKeyProblemsTest {

    private static final String GOOD = """
        listeners:
          - name: web
            address: 127.0.0.1:8080
        privacy-pass:
          issuers:
            - name: issuer.example
              directory: http://127.0.0.1:9090/directory
        upstreams:
          - name: app
            endpoints: ["127.0.0.1:9000"]
        routes:
          - {host: "*", path: /, upstream: app}
        """;

    private static List<String> problems(String text) {
        return new ConfigReader(Map.of(), List.of())
                .read("gateway.yaml", text, Path.of("")).problems().stream()
                        .map(Problem::toString)
                        .toList();
    }

    @Test
    void reportsAWindowThatIsTooShortForTheDefaultSkew() {
        String text = GOOD.replace("privacy-pass:\n", "privacy-pass:\n  challenge-window: 20s\n");

        assertThat(problems(text + "limits: {pipeline-depth: 0}\n"))
                .containsExactly(
                        "gateway.yaml:5:21: privacy-pass.challenge-window: 20s (expected: at least twice clock-skew,"
                                + " which is 30s)",
                        "gateway.yaml:14:26: limits.pipeline-depth: 0 (expected: 1..1024)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "refresh: 2h ~ gateway.yaml:6:7: privacy-pass.issuers.0.directory: nothing (expected: either a"
                        + " directory or public-keys / public-key-files / private-key-files)",
                "directory: ftp://issuer.example/ ~ gateway.yaml:7:18: privacy-pass.issuers.0.directory:"
                        + " ftp://issuer.example/ (expected: an http or https URL with a host and without credentials)",
                "directory: 'http://issuer.example/%zz' ~ gateway.yaml:7:18: privacy-pass.issuers.0.directory:"
                        + " http://issuer.example/%zz (expected: an http or https URL with a host and without"
                        + " credentials)",
            })
    void reportsAnIssuerWithoutKeys(String line, String expected) {
        String text = GOOD.replace("directory: http://127.0.0.1:9090/directory", line);

        assertThat(problems(text + "limits: {pipeline-depth: 0}\n"))
                .containsExactly(expected, "gateway.yaml:13:26: limits.pipeline-depth: 0 (expected: 1..1024)");
    }

    @Test
    void reportsAForwardListenerWithoutRules() {
        String text = GOOD.replace("  - name: web\n", "  - name: web\n    mode: forward\n");

        assertThat(problems(text + "limits: {pipeline-depth: 0}\n"))
                .containsExactly(
                        "gateway.yaml:2:5: listeners.0.forward: nothing (expected: the name of rules in forward:)",
                        "gateway.yaml:14:26: limits.pipeline-depth: 0 (expected: 1..1024)");
    }

    @Test
    void reportsAMissingValue() {
        assertThat(problems(GOOD
                        + "redis:\n"
                        + "  deadline:\n"
                        + "forward:\n"
                        + "  default:\n"
                        + "    allow-ports:\n"
                        + "      -\n"
                        + "      - 80\n"
                        + "      - x\n"))
                .containsExactly(
                        "gateway.yaml:14:12: redis.deadline: nothing (expected: a duration such as 50ms, 10s, 5m or"
                                + " 1h)",
                        "gateway.yaml:18:8: forward.default.allow-ports.0: nothing (expected: a single value)",
                        "gateway.yaml:20:9: forward.default.allow-ports.2: x (expected: a port or a range such as"
                                + " 1024-65535)");
    }
}
