package dev.postern.app.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which keys differ, and which of them require a restart. */
class DifferenceTest {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:8080"}
              - {name: out, address: "127.0.0.1:8443", mode: forward, forward: default}
            redis: {uri: "redis://user:secret@127.0.0.1:6379"}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:9000"]}
              - {name: api, endpoints: ["127.0.0.1:9001"]}
            routes:
              - {upstream: app, token: off}
              - {path: /api, upstream: api, token: off}
            forward:
              default: {allow-ports: [443], token: off}
            """;

    private static LoadedConfig read(String yaml, String... settings) {
        return new ConfigReader(Map.of(), List.of(settings)).read("gateway.yaml", yaml, Path.of(""));
    }

    private static List<Change> changes(String... settings) {
        GatewayConfig old = read(YAML).config();
        return Difference.between(old, read(YAML, settings).config());
    }

    private static List<String> texts(String... settings) {
        return changes(settings).stream().map(Change::toString).toList();
    }

    @Test
    void anEqualConfigurationHasNoDifference() {
        assertThat(changes()).isEmpty();
        assertThat(changes("limits.pipeline-depth=8", "upstreams.app.endpoints=[\"127.0.0.1:9000\"]"))
                .isEmpty();
    }

    @Test
    void namesEachKeyByTheNamesOfItsElements() {
        assertThat(texts(
                        "limits.pipeline-depth=4",
                        "upstreams.api.timeouts.connect=7s",
                        "listeners.out.protocols=[h1]",
                        "forward.default.tunnel.idle=9m",
                        "routes.1.path=/apis"))
                .containsExactly(
                        "listeners.out.protocols",
                        "limits.pipeline-depth",
                        "upstreams.api.timeouts.connect",
                        "routes.1.path",
                        "forward.default.tunnel.idle");
    }

    @Test
    void reportsAddedAndRemovedElements() {
        String extended =
                "upstreams=[{name: new, endpoints: [\"127.0.0.1:1\"]}, {name: app, endpoints: [\"127.0.0.1:9000\"]}]";
        assertThat(changes(extended, "forward.strict={allow-ports: [443]}"))
                .containsExactly(
                        new Change(Change.Kind.ADDED, "upstreams.new", "upstreams.0", false),
                        new Change(Change.Kind.REMOVED, "upstreams.api", "upstreams", false),
                        new Change(Change.Kind.ADDED, "forward.strict", "forward.strict", false));
        assertThat(texts("routes=[{upstream: app, token: off}]")).containsExactly("routes");
    }

    @Test
    void reportsNewValues() {
        assertThat(texts("listeners.web.tls={certificates: [{certificate-file: a, private-key-file: b}]}"))
                .containsExactly("listeners.web.tls");
        assertThat(texts("routes.0.redirect={to: \"https://a.example/\"}")).containsExactly("routes.0.redirect");
    }

    @Test
    void reportsAChangedOrder() {
        assertThat(
                        texts(
                                "upstreams=[{name: api, endpoints: [\"127.0.0.1:9001\"]}, {name: app, endpoints: [\"127.0.0.1:9000\"]}]"))
                .containsExactly("upstreams");
    }

    @Test
    void findsKeysThatRequireARestart() {
        assertThat(changes(
                        "instance.namespace=other",
                        "admin.address=127.0.0.1:1",
                        "transport.event-loops=3",
                        "privacy-pass.ledger.store=memcached",
                        "redis.deadline=1s"))
                .hasSize(5)
                .allMatch(Change::restart);
        assertThat(changes(
                        "log.level=debug",
                        "http2.max-streams=7",
                        "lifecycle.drain-delay=1s",
                        "rate-limits=[{name: a, rate: 1/s}]",
                        "secrets.ring-file=ring",
                        "tracing.sample=2%"))
                .hasSize(6)
                .noneMatch(Change::restart);
    }

    @Test
    void neverContainsAValue() {
        assertThat(changes("redis.uri=redis://user:other@127.0.0.1:6379").toString())
                .contains("redis.uri")
                .doesNotContain("secret", "other");
    }

    @Test
    void positionsReferToTheValue() {
        LoadedConfig changed = read(YAML.replace("[\"127.0.0.1:9001\"]", "[\"127.0.0.1:9002\"]"));
        Change change =
                Difference.between(read(YAML).config(), changed.config()).get(0);
        assertThat(change.key()).isEqualTo("upstreams.api.endpoints");
        assertThat(changed.origin(change.location())).hasToString("gateway.yaml:7:29");
    }
}
