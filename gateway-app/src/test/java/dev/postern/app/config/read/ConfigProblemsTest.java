package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages about values that a configuration must not have. */
class ConfigProblemsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "http2: {max-streams: 0} ~ http2.max-streams: 0 (expected: 1..10000)",
                "http2: {stream-window: 1B} ~ http2.stream-window: 1B (expected: 1KiB..64MiB)",
                "http2: {header-table: 1MiB} ~ http2.header-table: 1MiB (expected: 0..64KiB)",
                "http2: {max-continuations: 0} ~ http2.max-continuations: 0 (expected: 1..1000)",
                "http2: {window-timeout: 0} ~ http2.window-timeout: 0 (expected: 100ms..1h)",
                "http2: {max-resets: 0} ~ http2.max-resets: 0 (expected: 1/h or more)",
                "http2: {max-stream-errors: 0} ~ http2.max-stream-errors: 0 (expected: 1/h or more)",
                "http2: {max-control-frames: 0} ~ http2.max-control-frames: 0 (expected: 1/h or more)",
                "overload: {heap: 5} ~ overload.heap: 5 (expected: keys, such as {shed-above: 90%, resume-below: 80%})",
                "overload: {heap: {shed-above: 70%}} ~ overload.heap.resume-below: 80% (expected: not more than shed-above, which"
                        + " is 70%)",
                "overload: {loop-lag: {resume-below: 1s}} ~ overload.loop-lag.resume-below: 1s (expected: not more than shed-above,"
                        + " which is 250ms)",
                "transport: {kind: kqueue} ~ transport.kind: kqueue (expected: auto | epoll | nio | io-uring)",
                "tracing: {deadline: 0s} ~ tracing.deadline: 0s (expected: 10ms..1m)",
                "tracing: {service-name: 'a b'} ~ tracing.service-name: a b (expected: 1 to 63 letters, digits, dots,"
                        + " dashes or underscores)",
                "tracing: {trust-parent: some} ~ tracing.trust-parent: some (expected: trusted | all | none)",
                "tracing: {endpoint: 'http://me:secret@collector/'} ~ tracing.endpoint: (hidden) (expected: http:// or"
                        + " https://, a host and a path; credentials in headers-file)",
                "tracing: {headers-file: /not/there} ~ tracing.headers-file: /not/there (expected: a file that can be"
                        + " read)",
                "redis: {deadline: 0s} ~ redis.deadline: 0s (expected: 1ms..10s)",
                "redis: {tls: {}} ~ redis.tls: files (expected: nothing, or redis.uri with rediss://)",
                "redis: {uri: 'rediss://a', tls: {ca-file: /not/there}} ~ redis.tls.ca-file: /not/there (expected: a file that"
                        + " can be read)",
                "redis: {sentinel: {master: main, nodes: []}} ~ redis.sentinel.nodes: [] (expected: at least one)",
                "redis: {sentinel: {master: main, nodes: ['a:0']}} ~ redis.sentinel.nodes: [a:0] (expected: hosts with ports"
                        + " above 0)",
                "redis: {sentinel: {master: 'a b', nodes: ['a:1']}} ~ redis.sentinel.master: a b (expected: 1 to 63 letters,"
                        + " digits, dots, dashes or underscores)",
                "limits: 5 ~ limits: 5 (expected: keys, such as {request-head: 16KiB, max-fields: 256})",
                "instance: {namespace: null} ~ instance.namespace: nothing (expected: a single value)",
                "forward: [a] ~ forward: a list (expected: names with a value each, such as {NAME: {token:"
                        + " required}})",
                "instance: {namespace: [a]} ~ instance.namespace: a list (expected: a single value)",
                "transport: {event-loops: many} ~ transport.event-loops: many (expected: a whole number)",
                "transport: {tcp-no-delay: yes} ~ transport.tcp-no-delay: yes (expected: true | false)",
                "log: {successes: 101%} ~ log.successes: 101% (expected: a share of 0%..100%)",
                "rate-limits: [{name: a, rate: 10}] ~ rate-limits.0.rate: 10 (expected: a rate such as 10/s, 600/m or"
                        + " 5000/h)",
                "rate-limits: [{name: a}] ~ rate-limits.0.rate: missing (expected: a rate such as 10/s, unless"
                        + " fair-queue has active-sessions)",
                "transport: {name-servers: ['dns.example:53']} ~ transport.name-servers.0: dns.example:53 (expected:"
                        + " an address and its port, such as 127.0.0.1:53)",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {crawlers: {bot: []}}}] ~"
                        + " rate-limits.0.fair-queue.crawlers.bot: [] (expected: the domains of its owner, such as"
                        + " [example.com])",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {crawlers: {a bot: [a.example]}}}] ~"
                        + " rate-limits.0.fair-queue.crawlers.a bot: a bot (expected: a word of letters, digits, dashes,"
                        + " underscores)",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {crawlers: {bot: [Example]}}}] ~"
                        + " rate-limits.0.fair-queue.crawlers.bot: Example (expected: a domain in small letters, such as"
                        + " example.com)",
                "admin: {address: '127.0.0.1:8080'} ~ listeners.0.address: 127.0.0.1:8080 (expected: an address of its"
                        + " own; admin.address takes 127.0.0.1:8080)",
                "limits: {connections: 0} ~ limits.connections: 0 (expected: 1..10000000)",
                "limits: {connections-per-address: -1} ~ limits.connections-per-address: -1 (expected: 0..10000000)",
                "limits: {write-idle-timeout: 1ms} ~ limits.write-idle-timeout: 1ms (expected: 100ms..1d)",
                "limits: {discard-body: 2GiB} ~ limits.discard-body: 2GiB (expected: 0..1GiB)",
                "http2: {max-resets: 0/m} ~ http2.max-resets: 0/m (expected: 1/h or more)",
                "rate-limits: [{name: a, rate: 10/s, fair-queue: {tenants: {weights: {shop: 101, 'b.c': 100}}}}] ~"
                        + " rate-limits.0.fair-queue.tenants.weights.shop: 101 (expected: 1..100)",
                "secrets: {ring-file: nowhere} ~ secrets.ring-file: nowhere (expected: a file that can be read)",
            })
    void refuses(String addition, String expected) {
        assertThat(lines(ConfigReaderTest.GOOD + addition))
                .singleElement()
                .asString()
                .endsWith(": " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "listeners.web.proxy-protocol=required ~ listeners.0.proxy-protocol: required (expected: off, or"
                        + " trusted-proxies that send it)",
                "listeners.web.proxy-protocol=on ~ listeners.0.proxy-protocol: on (expected: off | required)",
                "listeners.web.tls={} ~ listeners.0.tls.certificates: missing (expected: a value such as"
                        + " [{certificate-file: tls.crt, private-key-file: tls.key}])",
                "listeners.web.tls={certificates: []} ~ listeners.0.tls.certificates: [] (expected: at least one"
                        + " certificate)",
                "upstreams.app.endpoints=[\"unix:app.sock\"] ~ upstreams.0.endpoints.0: unix:app.sock (expected:"
                        + " host:port, dns:host:port or unix:/path of up to 107 bytes, and perhaps weight=1..1000)",
                "upstreams=[{name: app, endpoints: [\"unix:/app.sock\"], tls: {}}] ~ upstreams.0.endpoints.0:"
                        + " unix:/app.sock (expected: host:port, or a server-name in tls, since a path is in no"
                        + " certificate)",
                "upstreams.app.tls={server-name: a_b} ~ upstreams.0.tls.server-name: a_b (expected: a name such as"
                        + " app.example, or an IPv4 address)",
                "upstreams=[{name: app, endpoints: [\"a:1\"], protocol: h2, proxy-protocol: v1}] ~"
                        + " upstreams.0.proxy-protocol: v1 (expected: off with protocol h2, since many clients share a"
                        + " connection there)",
                "upstreams.app.tls={certificate-file: nowhere} ~ upstreams.0.tls.private-key-file: nothing (expected: both"
                        + " certificate-file and private-key-file, or none)",
                "upstreams.app.tls={ca-file: nowhere} ~ upstreams.0.tls.ca-file: nowhere (expected: a file that can be"
                        + " read)",
            })
    void refusesInLists(String flag, String expected) {
        LoadedConfig config =
                new ConfigReader(Map.of(), List.of(flag)).read("gateway.yaml", ConfigReaderTest.GOOD, directory);

        assertThat(config.problems()).first().asString().endsWith(": " + expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "redis: {uri: 'redis://:pw@127.0.0.1', uri-file: uri} ~ gateway.yaml:13:14: redis.uri: given too (expected:"
                        + " nothing beside redis.uri-file (gateway.yaml:13:49))",
                "redis: {uri: 'redis://127.0.0.1', uri-file: null} ~",
                "redis: {uri-file: uri} ~",
            })
    void refusesAValueBesideItsFile(String redis, @Nullable String expected) throws IOException {
        Files.writeString(directory.resolve("uri"), "redis://127.0.0.1\n");

        assertThat(lines(ConfigReaderTest.GOOD + redis + "\n"))
                .isEqualTo(expected == null ? List.of() : List.of(expected));
    }

    @Test
    void refusesUnixSocketsOverNio() {
        List<String> flags = List.of("upstreams.app.endpoints=[\"unix:/app.sock\"]", "transport.kind=nio");
        LoadedConfig config = new ConfigReader(Map.of(), flags).read("gateway.yaml", ConfigReaderTest.GOOD, directory);

        assertThat(config.problems())
                .singleElement()
                .asString()
                .contains("upstreams.0.endpoints.0: unix:/app.sock (expected: host:port, since transport.kind is nio");
    }

    @Test
    void refusesOpenProxy() {
        String text = ConfigReaderTest.GOOD.replace("address: 127.0.0.1:8080", "address: 0.0.0.0:8080")
                + "forward: {default: {token: off}}\n";
        String open = text.replace("  - name: web", "  - name: web\n    mode: forward\n    forward: default");

        assertThat(lines(open)).singleElement().asString().contains("forward.default.token: off", "open proxy");
    }

    @Test
    void refusesEmbeddedStoresAndMissingRingWithReplicas() {
        String text = ConfigReaderTest.GOOD + "instance: {replicas: 2}\nrate-limits: [{name: site, rate: 10/s}]\n";

        assertThat(read(text).problems().stream().map(Problem::key))
                .containsExactlyInAnyOrder("secrets.ring-file", "privacy-pass.ledger.store", "rate-limits.0.store");
    }

    @Test
    void withoutTokensReplicasNeedNoSharedLedger() {
        String text = ConfigReaderTest.GOOD.replace("upstream: app}", "upstream: app, token: off}")
                + "instance: {replicas: 2}\n";

        assertThat(read(text).problems().stream().map(Problem::key)).containsExactly("secrets.ring-file");
    }

    @Test
    void warnsOfTokensWithoutTls() {
        LoadedConfig config = read(ConfigReaderTest.GOOD.replace("address: 127.0.0.1:8080", "address: 0.0.0.0:8080"));

        assertThat(config.problems()).isEmpty();
        assertThat(config.warnings().stream().map(Problem::key)).contains("listeners.0.tls", "secrets.ring-file");
    }

    @Test
    void warnsOfCopiesThatCannotBeExcluded() {
        String copies = "privacy-pass.ledger={store: memcached, when-forgotten: refuse,"
                + " memcached: {servers: [\"a:1\", \"b:1\"], copies: 2}}";

        LoadedConfig config =
                new ConfigReader(Map.of(), List.of(copies)).read("gateway.yaml", ConfigReaderTest.GOOD, Path.of(""));

        assertThat(config.warnings().stream().map(Problem::key)).contains("privacy-pass.ledger.memcached.copies");
    }

    @Test
    void refusesServersAsTheirOwnStatsServersAndCopiesBehindARouter() {
        String joined =
                "privacy-pass.ledger.memcached={servers: [\"a:1\", \"b:1\"], copies: 2, stats-servers: [\"b:1\"]}";

        LoadedConfig config =
                new ConfigReader(Map.of(), List.of(joined)).read("gateway.yaml", ConfigReaderTest.GOOD, Path.of(""));

        assertThat(config.problems().stream().map(Problem::key))
                .contains("privacy-pass.ledger.memcached.copies", "privacy-pass.ledger.memcached.stats-servers");
    }

    private List<String> lines(String text) {
        return read(text).problems().stream().map(Problem::toString).toList();
    }

    private LoadedConfig read(String text) {
        return new ConfigReader(Map.of(), List.of()).read("gateway.yaml", text, directory);
    }
}
