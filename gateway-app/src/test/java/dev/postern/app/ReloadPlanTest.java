package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.core.dns.NameServers;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.proxy.OutboundSockets;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.connect.Connector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.Ticker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which components stay over a reload, without a gateway: two configurations give a plan. */
class ReloadPlanTest {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0"}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:9000"]}
              - {name: api, endpoints: ["127.0.0.1:9001"]}
            routes:
              - {upstream: app, token: off}
            """;

    private static final TlsEnvironment TLS = TestTls.environment(TlsEngine.Kind.JDK);
    private static final DescriptorShares ENOUGH = new DescriptorShares(Long.MAX_VALUE, 0);

    @TempDir
    private static Path folder;

    private static TestCertificate one;

    @BeforeAll
    static void certificates() {
        one = TestCertificate.ec(folder, "one", "dns:site.example");
        TestCertificate.ec(folder, "copy", "dns:site.example");
        TestCertificate.ec(folder, "other", "dns:site.example");
    }

    private static ResolvedConfig resolve(DescriptorShares shares, String yaml, String... settings) {
        LoadedConfig loaded = new ConfigReader(Map.of(), List.of(settings)).read("gateway.yaml", yaml, folder);
        assertThat(loaded.problems()).isEmpty();
        Transport transport = Transport.open(Transport.Kind.NIO);
        Connector connector = new Connector(
                transport,
                new SocketOptionsMonitor(),
                DefaultAddressResolverGroup.INSTANCE,
                (channel, owner) -> {
                    throw new AssertionError("nothing is connected");
                },
                Ticker.systemTicker());
        Components.Network network = new Components.Network(
                new SocketMapping(loaded.config().transport()),
                transport,
                TLS,
                new EmbeddedChannel().eventLoop(),
                new SocketOptionsMonitor(),
                new NameServers(transport, name -> {
                    throw new AssertionError("nothing is looked up");
                }),
                connector,
                new SelfAddresses(),
                new OutboundSockets(1));
        ExtensionLoader loader = ExtensionLoader.load(null, new SimpleMeterRegistry(), Ticker.systemTicker());
        return new ConfigResolver(network, shares, new ReceiveWindows(0, channel -> 0), loader, exchange -> {})
                .resolve(loaded);
    }

    private static ReloadPlan plan(String yaml, String... settings) {
        return ReloadPlan.of(resolve(ENOUGH, YAML), resolve(ENOUGH, yaml, settings));
    }

    // ---- upstreams

    @Test
    void theFirstConfigurationMakesAll() {
        ReloadPlan plan = ReloadPlan.of(ResolvedConfig.NONE, resolve(ENOUGH, YAML));
        assertThat(plan.next().upstreams()).containsOnlyKeys("app", "api");
        assertThat(plan.kept()).isEmpty();
        assertThat(plan.removed()).isEmpty();
    }

    @Test
    void anEqualConfigurationKeepsTheVerySpecifications() {
        ResolvedConfig running = resolve(ENOUGH, YAML);
        ReloadPlan plan = ReloadPlan.of(running, resolve(ENOUGH, YAML));
        assertThat(plan.kept()).containsExactlyInAnyOrder("app", "api");
        assertThat(plan.removed()).isEmpty();
        assertThat(plan.next().upstreams().get("app"))
                .isSameAs(running.upstreams().get("app"));
        assertThat(plan.keeps("app")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits.pipeline-depth=4",
                "limits.connections=100",
                "routes.0.path=/app",
                "listeners.web.server-timing=true",
                "upstreams.app.endpoints=[\"127.0.0.1:9000\"]",
                "http2.max-window=1MiB"
            })
    void whatIsNoPartOfAnUpstreamKeepsIt(String setting) {
        assertThat(plan(YAML, setting).kept()).containsExactlyInAnyOrder("app", "api");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints=[\"127.0.0.1:9002\"]",
                "endpoints=[\"127.0.0.1:9000 weight=2\"]",
                "protocol=h2",
                "balance=round-robin",
                "hash-by=path",
                "timeouts.connect=7s",
                "pool.max-connections=7",
                "retry.budget=1%",
                "health.failures=7",
                "breaker.enabled=true",
                "proxy-protocol=v2",
                "expect=answer"
            })
    void aChangeMakesThatUpstreamAnewAndNoOther(String setting) {
        ReloadPlan plan = plan(YAML, "upstreams.app." + setting);
        assertThat(plan.kept()).containsExactly("api");
        assertThat(plan.keeps("app")).isFalse();
        assertThat(plan.removed()).isEmpty();
        assertThat(plan.next().upstreams()).containsOnlyKeys("app", "api");
    }

    @Test
    void anotherNameIsAnotherUpstream() {
        ReloadPlan plan = plan(YAML.replace("name: api", "name: renamed"));
        assertThat(plan.kept()).containsExactly("app");
        assertThat(plan.removed()).containsExactly("api");
        assertThat(plan.next().upstreams()).containsOnlyKeys("app", "renamed");
    }

    @Test
    void theOrderMeansNothing() {
        String app = "  - {name: app, endpoints: [\"127.0.0.1:9000\"]}\n";
        String turned = YAML.replace(app, "").replace("routes:", app + "routes:");
        assertThat(turned).isNotEqualTo(YAML);
        assertThat(plan(turned).kept()).containsExactlyInAnyOrder("app", "api");
    }

    /** The pools share the file descriptors, so that one upstream more may change all. */
    @Test
    void aSmallerShareMakesAnUpstreamAnew() {
        String more = YAML.replace("routes:", "  - {name: more, endpoints: [\"127.0.0.1:9002\"]}\nroutes:");
        assertThat(more).isNotEqualTo(YAML);
        DescriptorShares few = new DescriptorShares(1064, 0);
        ReloadPlan plan = ReloadPlan.of(resolve(few, YAML), resolve(few, more));
        assertThat(plan.kept()).isEmpty();
        assertThat(plan.next().upstreams()).containsOnlyKeys("app", "api", "more");
    }

    // ---- their files

    private static String tls(String file) {
        return YAML.replace("127.0.0.1:9000\"]", "127.0.0.1:9000\"], tls: {ca-file: " + file + "}");
    }

    private static boolean keepsApp(String before, String after) {
        return ReloadPlan.of(resolve(ENOUGH, before), resolve(ENOUGH, after)).keeps("app");
    }

    @Test
    void theContentOfAFileCountsAndNotItsName() {
        one.replace(
                new TestCertificate(folder.resolve("copy.crt"), folder.resolve("copy.key"), one.x509(), one.secret()));
        assertThat(keepsApp(tls("one.crt"), tls("one.crt"))).isTrue();
        assertThat(keepsApp(tls("one.crt"), tls("copy.crt"))).isTrue();
        assertThat(keepsApp(tls("one.crt"), tls("other.crt"))).isFalse();
        assertThat(keepsApp(YAML, tls("one.crt"))).isFalse();
        assertThat(keepsApp(tls("one.crt"), YAML)).isFalse();
        assertThat(keepsApp(tls("one.crt"), tls("one.crt, server-name: app.example")))
                .isFalse();
    }

    // ---- listeners

    private static String listener(String name, String more) {
        return YAML.replace(
                "{name: web, address: \"127.0.0.1:0\"}",
                "{name: " + name + ", address: \"127.0.0.1:0\", tls: {certificates: [{certificate-file: " + more
                        + "}]}}");
    }

    private static final String FILES = "one.crt, private-key-file: one.key";

    private static ServerTls tlsOf(ResolvedConfig config) {
        return Objects.requireNonNull(config.listeners().get(0).tls());
    }

    private static boolean keepsTls(String after, String... settings) {
        ResolvedConfig running = resolve(ENOUGH, listener("web", FILES));
        ReloadPlan plan = ReloadPlan.of(running, resolve(ENOUGH, after, settings));
        return plan.next().listeners().get(0).tls() == tlsOf(running);
    }

    @Test
    void keepsTheTlsOfAListenerSoThatSessionsResume() {
        assertThat(keepsTls(listener("web", FILES))).isTrue();
        assertThat(keepsTls(listener("web", FILES), "listeners.web.server-timing=true"))
                .isTrue();
    }

    @Test
    void otherTlsIsNew() {
        assertThat(keepsTls(listener("web", "other.crt, private-key-file: other.key")))
                .isFalse();
        assertThat(keepsTls(listener("web", FILES), "listeners.web.protocols=[h1]"))
                .isFalse();
        assertThat(keepsTls(listener("web", FILES), "limits.head-timeout=7s")).isFalse();
        assertThat(keepsTls(listener("another", FILES))).isFalse();
        assertThat(keepsTls(YAML)).isFalse();
    }

    @Test
    void otherSettingsOfAListenerApplyBesideItsTls() {
        ResolvedConfig running = resolve(ENOUGH, listener("web", FILES));
        ReloadPlan plan =
                ReloadPlan.of(running, resolve(ENOUGH, listener("web", FILES), "listeners.web.server-timing=true"));
        assertThat(running.listeners().get(0).listener().serverTiming()).isFalse();
        assertThat(plan.next().listeners().get(0).listener().serverTiming()).isTrue();
    }
}
