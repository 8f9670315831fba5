package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.config.DurationText;
import dev.postern.core.route.MinBodyRate;
import dev.postern.ratelimit.store.FairQueueSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a configuration is read: defaults, overrides, positions and syntax. */
class ConfigReaderTest {

    /** The smallest useful file. */
    static final String GOOD = """
        listeners:
          - name: web
            address: 127.0.0.1:8080
        privacy-pass:
          issuers:
            - name: issuer.example
              directory: http://127.0.0.1:9090/.well-known/private-token-issuer-directory
        upstreams:
          - name: app
            endpoints: ["127.0.0.1:9000"]
        routes:
          - {host: "*", path: /, upstream: app}
        """;

    @TempDir
    private Path directory;

    @Test
    void readsSmallestUsefulFileWithDefaults() {
        LoadedConfig config = read(GOOD);

        assertThat(config.problems()).isEmpty();
        assertThat(config.config().limits().requestHead().bytes()).isEqualTo(16384);
        assertThat(config.config().upstreams().get(0).timeouts().connect()).isEqualTo(DurationText.parse("1s"));
        assertThat(config.config().privacyPass().ledger().store()).isEqualTo(LedgerSettings.Store.EMBEDDED);
        assertThat(config.config().routes().get(0).rateLimit()).isNull();
    }

    /** As nginx by {@code client_body_timeout} and {@code send_timeout}; the minimum rate must not end what a timeout permits. */
    @Test
    void aClientMayPauseForAMinuteInEachDirection() {
        GatewayConfig config = read(GOOD).config();
        Duration minute = Duration.ofSeconds(60);

        assertThat(config.limits().bodyIdleTimeout()).isEqualTo(minute);
        assertThat(config.limits().writeIdleTimeout()).isEqualTo(minute);
        assertThat(config.http2().windowTimeout()).isEqualTo(minute);
        assertThat(MinBodyRate.of(config.limits().minBodyRate().bytesPerSecond())
                        .over())
                .isGreaterThanOrEqualTo(config.limits().bodyIdleTimeout());
    }

    @Test
    void reportsFiveProblemsWithFivePositions() {
        String text = """
            listeners:
              - name: web
                adress: 127.0.0.1:8080
                address: 127.0.0.1:99999
            limits: {head-timeout: 10 seconds, pipeline-depth: 0}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:9000"]}
            routes:
              - {host: "*", path: /, upstream: ap, token: off}
            """;

        assertThat(lines(text))
                .containsExactly(
                        "gateway.yaml:3:5: listeners.0.adress: unknown key (expected: one of name, address, mode,"
                                + " dialect, path-prefix, protocols, trusted-proxies, trusted-fields, forwarded, proxy-protocol, allow, deny, congestion-control, forward,"
                                + " origin-name, server-timing, request-id, tls, did you mean address?)",
                        "gateway.yaml:4:14: listeners.0.address: 127.0.0.1:99999 (expected: host:port such as"
                                + " 127.0.0.1:8080 or [::1]:8080, port 0..65535)",
                        "gateway.yaml:5:24: limits.head-timeout: 10 seconds (expected: a duration such as 50ms, 10s,"
                                + " 5m or 1h)",
                        "gateway.yaml:5:52: limits.pipeline-depth: 0 (expected: 1..1024)",
                        "gateway.yaml:9:36: routes.0.upstream: ap (expected: the name of an upstream: app, did you"
                                + " mean app?)");
    }

    @Test
    void refusesRenamedKeysAndNamesTheNewOnes() {
        assertThat(lines(GOOD + "http2: {reset-budget: 10/s}\noverload: {heap: {until: 80%}}\n"))
                .containsExactly(
                        "gateway.yaml:13:9: http2.reset-budget: renamed (expected: max-resets)",
                        "gateway.yaml:14:19: overload.heap.until: renamed (expected: resume-below)");
        assertThat(new ConfigReader(Map.of(), List.of("log.refusals=5/s"))
                        .read("gateway.yaml", GOOD, Path.of("")).problems().stream()
                                .map(Object::toString))
                .containsExactly("--set log.refusals: refusals: renamed (expected: refusal-rate)");
    }

    @Test
    void reportsBothPositionsOfADuplicateKey() {
        assertThat(lines(GOOD + "limits: {}\nlimits: {}\n"))
                .containsExactly(
                        "gateway.yaml:14:1: limits: given twice (expected: once; the first is at gateway.yaml:13:1)");
    }

    @Test
    void normalizesBypassPathsLikeRequests() {
        String limits =
                "rate-limits: [{name: site, rate: 10/s, fair-queue: {active-sessions: 1, bypass: [/Health/, 10.0.0.0/8%s]}}]\n";
        assertThat(read(GOOD + limits.formatted(""))
                        .config()
                        .rateLimits()
                        .get(0)
                        .fairQueue())
                .isNotNull()
                .extracting(FairQueueSettings::bypass)
                .isEqualTo(List.of("/Health", "10.0.0.0/8"));
        assertThat(lines(GOOD + limits.formatted(", /a;b")))
                .singleElement()
                .asString()
                .contains("rate-limits.0.fair-queue.bypass.2: /a;b (expected: a path that starts with /");
    }

    @Test
    void reportsThePositionOfSyntaxErrors() {
        assertThat(lines("listeners: [\n  a: {"))
                .first()
                .asString()
                .isEqualTo("gateway.yaml:2:6: { (expected: the } that ends it)");
    }

    @Test
    void handlesRecursiveAliases() {
        assertThat(lines("listeners: &a [*a]")).isNotEmpty();
    }

    @Test
    void environmentOverridesFileAndFlagOverridesBoth() {
        Map<String, String> environment = Map.of(
                "POSTERN_LIMITS_PIPELINE_DEPTH", "2",
                "POSTERN_LISTENERS_0_ADDRESS", "127.0.0.1:1111",
                "POSTERN_PRIVACY_PASS_LEDGER_MEMCACHED_SERVERS", "[\"10.0.0.1:1\"]",
                "POSTERN_SERVICE_HOST", "10.1.1.1",
                "POSTERN_PORT_8080_TCP", "tcp://10.1.1.1:8080",
                "POSTERN_LIMITS_DEPHT", "7");
        LoadedConfig config = new ConfigReader(
                        environment, List.of("listeners.web.address=127.0.0.1:2222", "upstreams.0.name=app"))
                .read("gateway.yaml", GOOD, directory);

        assertThat(config.problems()).isEmpty();
        assertThat(config.config().limits().pipelineDepth()).isEqualTo(2);
        assertThat(config.config().listeners().get(0).address()).hasToString("127.0.0.1:2222");
        assertThat(config.config().privacyPass().ledger().memcached().servers()).hasToString("[10.0.0.1:1]");
        assertThat(config.warnings().stream().map(Problem::toString))
                .contains("POSTERN_LIMITS_DEPHT: no key has that name; it is ignored")
                .noneMatch(w -> w.contains("SERVICE_HOST") || w.contains("8080_TCP"));
        assertThat(config.effective())
                .contains(
                        effective("limits.pipeline-depth", "2", "POSTERN_LIMITS_PIPELINE_DEPTH"),
                        effective("listeners.0.address", "127.0.0.1:2222", "--set listeners.web.address"),
                        effective("limits.request-head", "16KiB", "default"));
        assertThat(config.effective().stream().filter(e -> e.key().equals("upstreams.0.endpoints.0")))
                .singleElement()
                .matches(e -> e.provenance().toString().equals("gateway.yaml:10:17"));
    }

    @Test
    void reportsAFlagWithAnUnknownKey() {
        LoadedConfig config = new ConfigReader(Map.of(), List.of("limits.pipeline-dept=2", "limits"))
                .read("gateway.yaml", GOOD, directory);

        assertThat(config.problems().stream().map(Problem::toString))
                .anyMatch(
                        p -> p.startsWith("--set limits.pipeline-dept:") && p.contains("did you mean pipeline-depth?"))
                .anyMatch(p -> p.equals("--set limits: no value (expected: key=value)"));
    }

    @Test
    void masksPasswords() {
        LoadedConfig config = read(GOOD + "redis: {uri: \"redis://user:hunter2@cache:6379\"}\n");

        assertThat(config.problems()).isEmpty();
        assertThat(config.effective())
                .filteredOn(e -> e.key().equals("redis.uri"))
                .singleElement()
                .matches(e -> e.value().equals("redis://***@cache:6379"));
        assertThat(config.effective().toString()).doesNotContain("hunter2");
    }

    @Test
    void resolvesFilesRelativeToTheConfiguration() throws IOException {
        Files.writeString(directory.resolve("ring"), "too short\n");

        assertThat(lines(GOOD + "secrets: {ring-file: ring}\n"))
                .singleElement()
                .asString()
                .contains("key ring line 1: 0 bytes")
                .doesNotContain("too short");
    }

    private static LoadedConfig.Effective effective(String key, String value, String source) {
        int rank = source.equals("default") ? 0 : source.startsWith("--set") ? 3 : 2;
        return new LoadedConfig.Effective(key, value, new Provenance(source, rank, 0, 0));
    }

    private List<String> lines(String text) {
        return read(text).problems().stream().map(Problem::toString).toList();
    }

    private LoadedConfig read(String text) {
        return new ConfigReader(Map.of(), List.of()).read("gateway.yaml", text, directory);
    }
}
