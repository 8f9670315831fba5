package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.core.config.Key;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each key that has no effect beside other values is a warning, and none where it has one. */
class EffectChecksTest {

    /** Key and value ~ settings without which it has no effect ~ the condition ~ settings that meet it. */
    private static final String NEEDS = """
        listeners.0.trusted-fields=[X-Forwarded-Prefix] ~ ~ listeners.0.trusted-proxies ~ listeners.0.trusted-proxies=[10.0.0.0/8]
        listeners.0.forwarded=forwarded ~ ~ listeners.0.trusted-proxies ~ listeners.0.trusted-proxies=[10.0.0.0/8]
        listeners.0.dialect=envoy ~ ~ listeners.0.mode: authorize ~ listeners.0.mode=authorize; listeners.0.trusted-proxies=[10.0.0.0/8]
        listeners.0.path-prefix=/ask ~ ~ listeners.0.dialect: envoy ~ listeners.0.dialect=envoy; listeners.0.mode=authorize; listeners.0.trusted-proxies=[10.0.0.0/8]
        listeners.0.origin-name=a.example ~ ~ listeners.0.mode: forward ~ listeners.0.mode=forward; listeners.0.forward=default
        listeners.0.tls.certificates.0.ocsp-file=x.der ~ transport.tls-engine=jdk ~ transport.tls-engine: auto | boringssl ~ transport.tls-engine=auto
        admin.tls.certificates.0.ocsp-file=x.der ~ transport.tls-engine=jdk ~ transport.tls-engine: auto | boringssl ~ transport.tls-engine=auto
        limits.max-connection-options=5 ~ listeners.0.protocols=[h2]; listeners.1.protocols=[h2] ~ listeners[].protocols: h1 ~ listeners.0.protocols=[h1]
        limits.handshakes-per-address=5/s ~ ~ listeners[].tls ~ listeners.0.tls.min-version=TLSv1.3
        limits.pipeline-depth=5 ~ listeners.0.protocols=[h2]; listeners.1.protocols=[h2] ~ listeners[].protocols: h1 ~ listeners.0.protocols=[h2, h1]
        limits.half-close=allow ~ listeners.0.protocols=[h2]; listeners.1.protocols=[h2] ~ listeners[].protocols: h1 ~ listeners.1.protocols=[h1]
        http2={max-streams: 5} ~ listeners.0.protocols=[h1]; listeners.1.protocols=[h1] ~ listeners[].protocols: h2 or upstreams[].protocol: h2 ~ upstreams.0.protocol=h2
        log.destination=on ~ listeners.1.mode=reverse; listeners.1.forward=null ~ listeners[].mode: forward ~ listeners.1.mode=forward; listeners.1.forward=default
        log.exchanges.max-size=2MiB ~ ~ log.exchanges.to: file:NAME ~ log.exchanges.to=file:/var/log/exchanges
        log.exchanges.keep=3 ~ ~ log.exchanges.to: file:NAME ~ log.exchanges.to=file:/var/log/exchanges
        tracing={sample: 5%} ~ ~ tracing.endpoint ~ tracing.endpoint=http://127.0.0.1:1/v1
        redis={deadline: 50ms} ~ ~ privacy-pass.ledger.store: redis or rate-limits[].store: redis ~ rate-limits.0.store=redis
        upstreams.0.hash-by=path ~ ~ upstreams.0.balance: ring-hash ~ upstreams.0.balance=ring-hash
        upstreams.0.breaker={minimum-number-of-calls: 5} ~ ~ upstreams.0.breaker.enabled ~ upstreams.0.breaker.enabled=true
        upstreams.0.pool.idle=5s ~ upstreams.0.pool.keep-alive=false ~ upstreams.0.pool.keep-alive ~ upstreams.0.pool.keep-alive=true
        upstreams.0.pool.learn-idle=true ~ upstreams.0.pool.keep-alive=off ~ upstreams.0.pool.keep-alive ~ upstreams.0.pool.keep-alive=on
        upstreams.0.pool.max-lifetime=5m ~ upstreams.0.pool.keep-alive=false ~ upstreams.0.pool.keep-alive ~ upstreams.0.pool.keep-alive=true
        upstreams.0.pool.requests=5 ~ upstreams.0.pool.keep-alive=false ~ upstreams.0.pool.keep-alive ~ upstreams.0.pool.keep-alive=true
        upstreams.0.pool.max-streams=5 ~ ~ upstreams.0.protocol: h2 ~ upstreams.0.protocol=h2
        upstreams.0.retry.per-try=1s ~ upstreams.0.retry.budget=0% ~ upstreams.0.retry.budget ~ upstreams.0.retry.budget=0.5%
        upstreams.0.health.ejection=5s ~ upstreams.0.health.failures=0 ~ upstreams.0.health.failures ~ upstreams.0.health.failures=3
        upstreams.0.health.max-ejection=50s ~ upstreams.0.health.failures=0 ~ upstreams.0.health.failures ~ upstreams.0.health.failures=3
        upstreams.0.health.panic=40% ~ upstreams.0.health.failures=0 ~ upstreams.0.health.failures or upstreams.0.health.check.path ~ upstreams.0.health.check.path=/up
        upstreams.0.health.check={interval: 3s} ~ ~ upstreams.0.health.check.path ~ upstreams.0.health.check.path=/up
        overload.heap.resume-below=50% ~ overload.heap.shed-above=0% ~ overload.heap.shed-above ~ overload.heap.shed-above=90%
        overload.direct-memory.resume-below=50% ~ overload.direct-memory.shed-above=0.0% ~ overload.direct-memory.shed-above ~ overload.direct-memory.shed-above=90%
        overload.loop-lag.resume-below=50ms ~ overload.loop-lag.shed-above=0s ~ overload.loop-lag.shed-above ~ overload.loop-lag.shed-above=1s
        routes.0.token=optional ~ routes.0.upstream=null ~ routes.0.upstream: NAME or routes.0.upstreams ~ routes.0.upstreams.0={name: app}
        routes.0.rate-limit=site ~ routes.0.upstream=null ~ routes.0.upstream: NAME or routes.0.upstreams ~ routes.0.upstream=app
        routes.0.challenge={context: prefix} ~ routes.0.token=off ~ routes.0.token ~ routes.0.token=optional
        routes.0.preflight=refuse ~ routes.0.token=off; routes.0.rate-limit=null ~ routes.0.token or routes.0.rate-limit ~ routes.0.rate-limit=site
        routes.0.sticky-cookie=release ~ ~ routes.0.upstreams ~ routes.0.upstream=null; routes.0.upstreams.0={name: app}
        routes.0.path-form=normal ~ routes.0.rewrite=/b ~ routes.0.rewrite: null ~ routes.0.rewrite=null
        routes.0.upgrade={idle: 1m} ~ routes.0.upgrade.protocols=[] ~ routes.0.upgrade.protocols ~ routes.0.upgrade.protocols=[websocket]
        forward.default.tunnel={idle: 1m} ~ forward.default.allow-ports=[] ~ forward.default.allow-ports ~ forward.default.allow-ports=[443]
        forward.default.udp={idle: 1m} ~ forward.default.udp.allow-ports=[] ~ forward.default.udp.allow-ports ~ forward.default.udp.allow-ports=[443]
        privacy-pass.key-max-lifetime=10d ~ ~ routes[].challenge.context: empty ~ routes.0.challenge.context=empty
        privacy-pass.session={lifetime: 1h} ~ ~ routes[].token: session ~ routes.0.token=session
        privacy-pass={enforcement: report-only} ~ routes.0.token=off; forward.default.token=off ~ routes[].token or forward.<name>.token ~ forward.default.token=required
        routes=[{upstream: app, rate-limit: site}] ~ listeners.0.mode=forward; listeners.0.forward=default ~ listeners[].mode: reverse | authorize ~ listeners.0.mode=reverse; listeners.0.forward=null
        privacy-pass.key-cache=cache ~ ~ privacy-pass.issuers[].directory ~ privacy-pass.issuers.0={name: a.example, directory: 'https://a.example/'}
        privacy-pass.issuers.0.refresh=2h ~ ~ privacy-pass.issuers.0.directory ~ privacy-pass.issuers.0={name: a.example, refresh: 2h, directory: 'https://a.example/'}
        privacy-pass.issuers.0.key-grace=2h ~ ~ privacy-pass.issuers.0.directory ~ privacy-pass.issuers.0={name: a.example, key-grace: 2h, directory: 'https://a.example/'}
        privacy-pass.issuers.0.pin=[{id}] ~ ~ privacy-pass.issuers.0.directory ~ privacy-pass.issuers.0={name: a.example, pin: [{id}], directory: 'https://a.example/'}
        privacy-pass.ledger.embedded={max-memory: 2MiB} ~ privacy-pass.ledger.store=memcached ~ privacy-pass.ledger.store: embedded ~ privacy-pass.ledger.store=embedded
        privacy-pass.ledger.memcached={copies: 1} ~ ~ privacy-pass.ledger.store: memcached ~ privacy-pass.ledger.store=memcached
        privacy-pass.ledger.memcached.connections=2 ~ privacy-pass.ledger.store=memcached; privacy-pass.ledger.memcached.client=netty ~ privacy-pass.ledger.memcached.client: spymemcached ~ privacy-pass.ledger.memcached.client=spymemcached
        rate-limits.0.missing=refuse ~ ~ rate-limits.0.per: header:NAME | cookie:NAME ~ rate-limits.0.per=cookie:a
        rate-limits.0.fair-queue.auto={min: 2} ~ ~ rate-limits.0.fair-queue.active-sessions: auto ~ rate-limits.0.fair-queue.active-sessions=auto
        rate-limits.0.fair-queue.holder-weight=5 ~ ~ routes[].token: optional ~ routes.0.token=optional
        rate-limits.0.fair-queue.tenants.weights={a: 2} ~ rate-limits.0.fair-queue.tenants.by=none ~ rate-limits.0.fair-queue.tenants.by ~ rate-limits.0.fair-queue.tenants.by=host
        """;

    /** Key and value ~ settings beside it ~ the maximum ~ its value ~ a value that is no maximum, or nothing. */
    private static final String MAXIMA = """
        limits.connections-per-address=300 ~ limits.connections=200 ~ limits.connections ~ 200 ~
        upstreams.0.pool.idle=20m ~ ~ upstreams.0.pool.max-lifetime ~ 10m ~ 0
        upstreams.0.pool.max-streams=90 ~ upstreams.0.protocol=h2; upstreams.0.pool.requests=50 ~ upstreams.0.pool.requests ~ 50 ~ 0
        upstreams.0.retry.per-try=61s ~ ~ upstreams.0.timeouts.first-byte ~ 60s ~
        upstreams.0.health.ejection=31s ~ ~ upstreams.0.health.max-ejection ~ 30s ~
        routes.0.upgrade.idle=2h ~ routes.0.upgrade.max-lifetime=1h ~ routes.0.upgrade.max-lifetime ~ 1h ~ 0
        forward.default.tunnel.idle=2h ~ forward.default.tunnel.max-lifetime=1h ~ forward.default.tunnel.max-lifetime ~ 1h ~ 0s
        forward.default.udp.idle=2h ~ forward.default.udp.max-lifetime=1h ~ forward.default.udp.max-lifetime ~ 1h ~ 0s
        rate-limits.0.fair-queue.idle=11m ~ ~ rate-limits.0.fair-queue.pass ~ 10m ~
        """;

    @TempDir
    private static Path folder;

    private static CompleteConfiguration complete;

    @BeforeAll
    static void files() throws IOException {
        complete = CompleteConfiguration.in(folder);
    }

    /** Line of a table. */
    record Row(String key, String value, List<String> cells) {

        static Row of(String line) {
            String[] cells = line.split(" ?~ ?", -1);
            String[] setting = cells[0].split("=", 2);
            return new Row(setting[0], setting[1], List.of(cells));
        }

        String cell(int index) {
            return cells.get(index).trim();
        }
    }

    static Stream<Row> needs() {
        return NEEDS.replace("{id}", "0".repeat(64)).lines().map(Row::of);
    }

    static Stream<Row> maxima() {
        return MAXIMA.lines().map(Row::of);
    }

    private static Stream<String> keys(Predicate<Key> wanted) {
        return keys(ConfigSchema.of(GatewayConfig.class), "", wanted);
    }

    private static Stream<String> keys(ConfigSchema schema, String path, Predicate<Key> wanted) {
        return switch (schema.kind()) {
            case RECORD ->
                schema.fields().stream()
                        .flatMap(field -> Stream.concat(
                                wanted.test(field.about()) ? Stream.of(path + field.key()) : Stream.of(),
                                keys(field.schema(), path + field.key() + ".", wanted)));
            case LIST -> keys(schema.element(), path + "0.", wanted);
            case MAP -> keys(schema.element(), path + "default.", wanted);
            case LEAF -> Stream.of();
        };
    }

    @Test
    void theTablesHaveEveryKey() {
        assertThat(needs().map(Row::key))
                .containsExactlyInAnyOrderElementsOf(
                        keys(key -> key.needs().length > 0).toList());
        assertThat(maxima().map(Row::key))
                .containsExactlyInAnyOrderElementsOf(
                        keys(key -> !key.upTo().isEmpty()).toList());
    }

    /** Returns the warnings of that key about its effect. */
    private static List<String> warnings(String key, String... settings) {
        Map<String, String> values = new LinkedHashMap<>();
        Arrays.stream(settings).flatMap(text -> Arrays.stream(text.split("; "))).forEach(setting -> {
            String[] parts = setting.split("=", 2);
            if (parts.length == 2) {
                values.put(parts[0], parts[1]);
            }
        });
        return complete.with(values).warnings().stream()
                .filter(one -> one.key().equals(key) && one.text().contains("no effect"))
                .map(Problem::toString)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("needs")
    void aKeyWithoutWhatItNeedsIsAWarning(Row row) {
        assertThat(warnings(row.key(), row.cell(0), row.cell(1)))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:")
                .contains(": " + row.key() + ": ")
                .contains("no effect without " + row.cell(2) + "; set ")
                .endsWith(", or remove " + row.key().substring(row.key().lastIndexOf('.') + 1));
    }

    @ParameterizedTest
    @MethodSource("needs")
    void aKeyWithWhatItNeedsIsNone(Row row) {
        assertThat(warnings(row.key(), row.cell(0), row.cell(1), row.cell(3))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("maxima")
    void aValueAboveItsMaximumIsAWarning(Row row) {
        String maximum = row.cell(2);
        assertThat(warnings(row.key(), row.cell(0), row.cell(1)))
                .singleElement()
                .asString()
                .startsWith("gateway.yaml:")
                .contains(": " + row.key() + ": " + row.value() + ": no effect above " + maximum + " (")
                .endsWith("), which is " + row.cell(3) + "; set it lower, or that higher");
    }

    @ParameterizedTest
    @MethodSource("maxima")
    void theMaximumItselfAndNoMaximumAreNone(Row row) {
        String maximum = row.cell(2);
        assertThat(warnings(row.key(), row.key() + "=" + row.cell(3), row.cell(1)))
                .isEmpty();
        if (!row.cell(4).isEmpty()) {
            assertThat(warnings(row.key(), row.cell(0), row.cell(1), maximum + "=" + row.cell(4)))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "upstreams.0.breaker ~ {enabled: false}",
                "upstreams.0.retry.per-try ~ 0",
                "upstreams.0.health.check ~ {path: null}",
                "tracing ~ {}",
                "privacy-pass.key-cache ~ null",
                "listeners.0.trusted-fields ~ []",
            })
    void aValueThatIsOffIsNone(String key, String value) {
        assertThat(warnings(key, key + "=" + value, "upstreams.0.retry.budget=0%"))
                .isEmpty();
    }

    @Test
    void defaultsAreNone() {
        assertThat(complete.with(Map.of(
                                "upstreams.0.pool.keep-alive", "false", "upstreams.0.timeouts.first-byte", "1ms"))
                        .warnings())
                .noneMatch(warning -> warning.text().contains("no effect"));
    }

    @Test
    void aNeededKeyWithAWrongValueCausesNoFurtherFinding() {
        assertThat(warnings("upstreams.0.hash-by", "upstreams.0.hash-by=path", "upstreams.0.balance=Ring Hash"))
                .isEmpty();
    }

    @Test
    void keysBelowAKeyWithoutEffectAreNoFurtherWarnings() {
        String memcached = "privacy-pass.ledger.memcached";
        assertThat(warnings(memcached + ".connections", memcached + "={client: netty, connections: 2}"))
                .isEmpty();
    }

    @Test
    void aVariableOfTheEnvironmentHasItsOwnPlace() {
        LoadedConfig config = new ConfigReader(Map.of("POSTERN_UPSTREAMS_0_HASH_BY", "path"), List.of())
                .read("gateway.yaml", complete.text(Map.of()), folder);
        assertThat(config.warnings())
                .extracting(Problem::toString)
                .contains(
                        "POSTERN_UPSTREAMS_0_HASH_BY: upstreams.0.hash-by: path: no effect without upstreams.0.balance:"
                                + " ring-hash; set that, or remove hash-by");
    }
}
