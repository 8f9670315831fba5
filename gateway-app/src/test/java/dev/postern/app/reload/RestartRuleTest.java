package dev.postern.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which configurations a running process can't apply, and what it says of them. */
class RestartRuleTest {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:8080"}
            privacy-pass:
              issuers: [{name: issuer.example, directory: "https://issuer.example/"}]
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:9000"]}
            routes:
              - {upstream: app, token: off}
              - {path: /more, upstream: app, token: required}
            """;

    private static LoadedConfig read(String... settings) {
        LoadedConfig loaded = new ConfigReader(Map.of(), List.of(settings)).read("gateway.yaml", YAML, Path.of(""));
        assertThat(loaded.problems()).isEmpty();
        return loaded;
    }

    private static List<String> problems(LoadedConfig running, LoadedConfig next) {
        return RestartRule.problems(running.config(), next).stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void anEqualConfigurationNeedsNoRestart() {
        assertThat(problems(read(), read())).isEmpty();
    }

    @Test
    void mostChangesNeedNoRestart() {
        assertThat(problems(read(), read("routes.0.path=/app", "limits.connections=7")))
                .isEmpty();
    }

    @Test
    void namesEachKeyThatNeedsOne() {
        assertThat(problems(read(), read("transport.kind=nio", "routes.0.path=/app", "instance.namespace=other")))
                .hasSize(2)
                .allMatch(text -> text.contains("changed (expected: a restart)"))
                .anyMatch(text -> text.contains("transport.kind"))
                .anyMatch(text -> text.contains("instance.namespace"));
    }

    @Test
    void onlyTheLedgerOfPrivacyPassNeedsOne() {
        assertThat(problems(
                        read(),
                        read(
                                "routes.1.token=session",
                                "privacy-pass.enforcement=report-only",
                                "privacy-pass.issuers.0.refresh=2h",
                                "privacy-pass.ledger.deadline=60ms")))
                .singleElement()
                .asString()
                .contains("privacy-pass.ledger.deadline: changed (expected: a restart)");
    }
}
