package dev.postern.app.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.ListenerMapping;
import dev.postern.app.mapping.RouteMapping;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.app.mapping.TraceMapping;
import dev.postern.app.mapping.UpstreamMapping;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each value of a key is either refused with its position, or the gateway can be built with it. */
class BoundaryValuesTest {

    private static final TlsEnvironment ENVIRONMENT = TestTls.environment(TlsEngine.Kind.JDK);
    private static final String PLACED = "(?s)gateway\\.yaml:\\d+:\\d+: [^ :]+[^:]*: .+ \\(expected: .+\\)";

    @TempDir
    private static Path folder;

    private static CompleteConfiguration complete;
    private static ExtensionLoader loader;

    @BeforeAll
    static void files() throws IOException {
        complete = CompleteConfiguration.in(folder);
        loader = ExtensionLoader.load(null, new SimpleMeterRegistry(), Ticker.systemTicker());
    }

    @Test
    void theCompleteConfigurationIsValid() {
        assertThat(judged(Map.of("instance.replicas", "1"))).isEqualTo("built");
    }

    static Stream<String> sections() {
        return ConfigSchema.of(GatewayConfig.class).fields().stream().map(ConfigSchema.Field::key);
    }

    /** Tests one value in eight of each key, and the boundaries of their ranges. */
    @ParameterizedTest
    @MethodSource("sections")
    void someValuesAreRefusedWithPositionOrAccepted(String section) {
        assertThat(wrong(section, 8)).isEmpty();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("sections")
    void everyValueIsRefusedWithPositionOrAccepted(String section) {
        assertThat(wrong(section, 1)).isEmpty();
    }

    private static Map<String, String> wrong(String section, int every) {
        Map<String, String> wrong = new TreeMap<>();
        for (BoundaryValues.Position position : BoundaryValues.positions()) {
            if (position.key().split("\\.")[0].equals(section)) {
                List<String> all = BoundaryValues.of(position.schema());
                int first = Math.floorMod(position.key().hashCode(), every);
                Deque<String> values = new ArrayDeque<>();
                for (int i = first; i < all.size(); i += every) {
                    values.add(all.get(i));
                }
                judge(position, values, wrong);
            }
        }
        return wrong;
    }

    private static void judge(BoundaryValues.Position position, Deque<String> values, Map<String, String> wrong) {
        Set<String> known = new HashSet<>(values);
        while (!values.isEmpty()) {
            String value = values.remove();
            String judged = judged(Map.of(position.key(), value));
            if (judged.startsWith("WRONG")) {
                wrong.put(position.key() + "=" + value, judged);
            }
            BoundaryValues.edges(judged).stream().filter(known::add).forEach(values::add);
        }
    }

    static Stream<List<String>> pairs() {
        return Stream.of(
                List.of(
                        "privacy-pass.challenge-window 1s 20s 60s 1d",
                        "privacy-pass.clock-skew 0s 10s 30s 12h 106751d"),
                List.of("overload.heap.shed-above 0% 50% 100%", "overload.heap.resume-below 0% 80% 100%"),
                List.of(
                        "overload.direct-memory.shed-above 0% 50% 100%",
                        "overload.direct-memory.resume-below 0% 80% 100%"),
                List.of("overload.loop-lag.shed-above 0 1ms 1h", "overload.loop-lag.resume-below 0 1ms 1h 2h"),
                List.of(
                        "rate-limits.0.fair-queue.auto.min 0 1 5 1001 1000000 1000001",
                        "rate-limits.0.fair-queue.auto.max 0 1 1000 1000000 1000001",
                        "rate-limits.0.fair-queue.active-sessions 5 auto"),
                List.of(
                        "privacy-pass.ledger.memcached.servers [] [a:1] [a:1,b:1] [a:1,a:1] [a:0]",
                        "privacy-pass.ledger.memcached.copies 0 1 2 3",
                        "privacy-pass.ledger.memcached.stats-servers [] [b:1] [c:1] [c:0]",
                        "privacy-pass.ledger.store memcached"),
                List.of(
                        "privacy-pass.ledger.memcached.client spymemcached netty",
                        "privacy-pass.ledger.memcached.connections 0 1 2 64 65"),
                List.of("listeners.0.mode reverse forward", "listeners.0.forward null default nowhere"),
                List.of("listeners.0.proxy-protocol off required", "listeners.0.trusted-proxies [] [10.0.0.0/8] [x]"),
                List.of("upstreams.0.protocol h1 h2", "upstreams.0.proxy-protocol off v1 v2"),
                List.of(
                        "upstreams.0.endpoints [] ['unix:/a'] ['a:1'] ['a:1','unix:/a']",
                        "upstreams.0.tls null {} {server-name: a}",
                        "transport.kind auto nio"),
                List.of(
                        "privacy-pass.issuers.0.directory null http://a/ ftp://a/ x",
                        "privacy-pass.issuers.0.public-keys [] [x]",
                        "privacy-pass.issuers.0.private-key-files [] [nowhere]"),
                List.of(
                        "instance.replicas 1 2 10000 10001",
                        "secrets.ring-file null ring",
                        "privacy-pass.ledger.store embedded redis",
                        "rate-limits.0.store embedded redis"),
                List.of(
                        "routes.0.challenge.context window empty prefix",
                        "privacy-pass.ledger.store embedded redis",
                        "privacy-pass.ledger.when-forgotten roll refuse accept",
                        "privacy-pass.ledger.embedded.journal null journal"),
                List.of(
                        "privacy-pass.token-types [] [1] [2] [1,2] [2,2] [3] [x]",
                        "privacy-pass.issuers.0.private-key-files [] [nowhere]"),
                List.of("routes.0.path / /a /a/ x", "routes.0.rewrite null / /b x"),
                List.of("routes.0.host '*' '*.a' a", "routes.0.redirect.to https://{host}/ / //"),
                List.of("forward.default.token off required", "listeners.1.address 127.0.0.1:0 0.0.0.0:0"),
                List.of("upstreams.0.health.ejection 1ms 1d", "upstreams.0.health.max-ejection 1ms 1d"),
                List.of(
                        "listeners.0.address 127.0.0.1:1 0.0.0.0:1",
                        "listeners.1.address 127.0.0.1:1",
                        "admin.address 127.0.0.1:1"),
                List.of("listeners.1.name web out", "listeners.1.forward null default"),
                List.of("redis.uri redis://a 'redis://:s3cr%zt@a'", "redis.uri-file null ring nowhere"),
                List.of("extensions.folder null nowhere .", "upstreams.0.balance ring-hash other"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void everyPairIsRefusedWithPositionOrAccepted(List<String> keys) {
        Map<String, String> wrong = new TreeMap<>();
        for (Map<String, String> values : product(keys)) {
            String judged = judged(values);
            if (judged.startsWith("WRONG")) {
                wrong.put(values.toString(), judged);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Map<String, String>> product(List<String> keys) {
        List<Map<String, String>> product = List.of(Map.of());
        for (String line : keys) {
            String[] words = line.split(" (?![^{]*})");
            List<Map<String, String>> extended = new ArrayList<>();
            for (Map<String, String> values : product) {
                for (int i = 1; i < words.length; i++) {
                    Map<String, String> next = new LinkedHashMap<>(values);
                    next.put(words[0], words[i]);
                    extended.add(next);
                }
            }
            product = extended;
        }
        return product;
    }

    /** Returns {@code built}, the problems, or a description of a violation. */
    private static String judged(Map<String, String> values) {
        LoadedConfig loadedConfig;
        try {
            loadedConfig = complete.with(values);
        } catch (RuntimeException e) {
            return "WRONG: check fails: " + e;
        }
        if (loadedConfig.good()) {
            return built(loadedConfig);
        }
        List<String> problems =
                loadedConfig.problems().stream().map(Problem::toString).toList();
        return problems.stream().allMatch(p -> p.matches(PLACED)) ? problems.toString() : "WRONG: " + problems;
    }

    private static String built(LoadedConfig loadedConfig) {
        try {
            GatewayConfig config = loadedConfig.config();
            SocketMapping sockets = new SocketMapping(config.transport());
            AdmissionMapping mapping = new AdmissionMapping(config);
            mapping.ring();
            mapping.rateLimits();
            new RouteMapping(config).policy(Map.of());
            ListenerMapping listeners = new ListenerMapping(config, sockets, ENVIRONMENT);
            config.listeners().forEach(listeners::listener);
            DescriptorShares shares = DescriptorShares.ofThis();
            shares.limits(config);
            UpstreamMapping upstreams = new UpstreamMapping(sockets, ENVIRONMENT.engine(), loader);
            config.upstreams()
                    .forEach(upstream -> upstreams.settings(
                            upstream, shares.pool(config, upstream.pool().maxConnections())));
            config.upstreams().forEach(upstreams::tls);
            TraceMapping.of(config.tracing());
            return "built";
        } catch (RuntimeException e) {
            return "WRONG: not built: " + e;
        }
    }
}
