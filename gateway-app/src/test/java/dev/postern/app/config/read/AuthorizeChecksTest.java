package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the checks of listeners in mode authorize, and of routes without upstream. */
class AuthorizeChecksTest {

    private static final String AUTHORIZE =
            "listeners: [{name: auth, address: \"127.0.0.1:9190\", mode: authorize, trusted-proxies: [127.0.0.0/8]";
    private static final String REVERSE = ", {name: web, address: \"127.0.0.1:8080\"}";
    private static final String OPEN = "routes: [{upstream: none, token: off}]\n";

    private static LoadedConfig read(String text) {
        return new ConfigReader(Map.of(), List.of()).read("gateway.yaml", text, Path.of(""));
    }

    private static List<String> problems(String text) {
        return read(text).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void aRouteWithoutUpstreamNeedsNothingElse() {
        LoadedConfig config = read(AUTHORIZE + "}]\n" + OPEN);
        assertThat(config.problems()).isEmpty();
        assertThat(config.warnings())
                .extracting(Problem::toString)
                .allMatch(text -> text.contains("secrets.ring-file"));
    }

    @Test
    void tokenAndLimitOfARouteWithoutUpstreamHaveAnEffect() {
        LoadedConfig config = read(AUTHORIZE + "}]\n" + """
                routes: [{upstream: none, token: optional, rate-limit: site}]
                rate-limits: [{name: site, rate: 1/s}]
                privacy-pass: {issuers: [{name: issuer.example, directory: "https://issuer.example/d"}]}
                """);
        assertThat(config.problems()).isEmpty();
        assertThat(config.warnings()).extracting(Problem::toString).noneMatch(text -> text.contains("no effect"));
    }

    @Test
    void aReverseListenerNeedsUpstreams() {
        assertThat(problems(AUTHORIZE + "}" + REVERSE + "]\n" + OPEN))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:2:")
                .contains("routes.0.upstream: none (expected: the name of an upstream, since listener web");
    }

    @Test
    void onlyTrustedProxiesMayAsk() {
        assertThat(problems("listeners: [{name: auth, address: \"127.0.0.1:9190\", mode: authorize}]\n" + OPEN))
                .singleElement()
                .asString()
                .contains("trusted-proxies: nothing (expected: the addresses of the proxies that may ask");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy-protocol: required | proxy-protocol",
                "forward: default         | forward",
                "dialect: traefik         | dialect",
                "forwarded: x-forwarded   | forwarded",
                "\"path-prefix\": ask, dialect: envoy   | path-prefix",
                "path-prefix: /ask/, dialect: envoy     | path-prefix",
                "path-prefix: /a/../b, dialect: envoy   | path-prefix",
            })
    void wrongKeysAreProblems(String keys, String key) {
        assertThat(problems(AUTHORIZE + ", " + keys + "}]\n" + OPEN))
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).contains(key));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 202})
    void aRoomMustNotSeemPermission(int status) {
        String room = """
                rate-limits: [{name: site, rate: 1/s, fair-queue: {waiting-status: %d, active-sessions: 1}}]
                routes: [{upstream: none, token: off, rate-limit: site}]
                """.formatted(status);
        assertThat(problems(AUTHORIZE + "}]\n" + room))
                .singleElement()
                .asString()
                .contains("waiting-status: " + status
                        + " (expected: 300 or above, since the proxy that asks listener auth");
        assertThat(problems(AUTHORIZE + "}]\n" + room.replace("waiting-status: " + status, "waiting-status: 503")))
                .isEmpty();
    }

    @Test
    void aStaticResponseMustNotSeemPermission() {
        assertThat(problems(AUTHORIZE + "}]\nroutes: [{respond: {body: hello}}]\n"))
                .singleElement()
                .asString()
                .contains("respond.status: 200 (expected: 300 or above");
        assertThat(problems(AUTHORIZE + "}]\nroutes: [{respond: {status: 410}}]\n"))
                .isEmpty();
    }

    @Test
    void keysOfQuestionsHaveNoEffectElsewhere() {
        LoadedConfig config = read(
                "listeners: [{name: web, address: \"127.0.0.1:8080\", dialect: envoy, path-prefix: /ask}]\n"
                        + "upstreams: [{name: app, endpoints: [\"127.0.0.1:9000\"]}]\nroutes: [{upstream: app, token: off}]\n");
        assertThat(config.warnings())
                .extracting(Problem::toString)
                .anyMatch(text -> text.contains("dialect: envoy: no effect without listeners.0.mode: authorize"));
    }

    @Test
    void noUpstreamIsNamedNone() {
        assertThat(problems(AUTHORIZE + "}]\nupstreams: [{name: none, endpoints: [\"127.0.0.1:9000\"]}]\n" + OPEN))
                .anyMatch(text -> text.contains("upstreams.0.name: none (expected: another name"));
    }
}
