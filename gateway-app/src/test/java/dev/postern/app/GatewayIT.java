package dev.postern.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.app.client.ClientResponse;
import dev.postern.app.client.SiteClient;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.testing.TestOrigin;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests one gateway as users configure it, over real sockets. */
class GatewayIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            overload: {loop-lag: {shed-above: 0}}
            log: {level: warn, successes: 0%}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:1"], congestion-control: reno}
            routes:
              - {upstream: app, token: off}
            """;

    private final TestOrigin origin = new TestOrigin();
    private final SiteClient client = new SiteClient();

    @AfterEach
    void close() {
        origin.close();
    }

    @Test
    void servesRequestsAndAdminPages() throws Exception {
        try (Gateway gateway = Gateway.start(load())) {
            assertThat(get(gateway.listener("web"), "/").status()).isEqualTo(200);

            assertThat(get(gateway.admin(), "/livez").status()).isEqualTo(200);
            assertThat(get(gateway.admin(), "/startupz").status()).isEqualTo(200);
            assertThat(get(gateway.admin(), "/readyz").body())
                    .contains("\"ready\" : true", "\"ledger\"", "\"keys\"", "\"rooms\"");
            assertThat(get(gateway.admin(), "/keys").body().trim()).isEqualTo("[ ]");
            assertThat(get(gateway.admin(), "/rooms").body().trim()).isEqualTo("[ ]");
        }
    }

    @Test
    void showsKernelValuesInContext() throws Exception {
        try (Gateway gateway = Gateway.start(load())) {
            get(gateway.listener("web"), "/");

            String context = get(gateway.admin(), "/context").body().replaceAll("\\s+", "");
            assertThat(context)
                    .containsPattern("\"item\":\"listenerweb.congestion-control\",[^}]*\"found\":\"reno\"")
                    .containsPattern("\"item\":\"upstreamapp.congestion-control\",[^}]*\"found\":\"reno\"")
                    .containsPattern("\"item\":\"listenerweb.backlog\",[^}]*\"verdict\":\"ok\"")
                    .contains("\"item\":\"crypto.provider\"");
        }
    }

    @Test
    void servesBothFormatsOfMetrics() throws Exception {
        try (Gateway gateway = Gateway.start(load())) {
            get(gateway.listener("web"), "/");

            // The first reading of the hidden context runs concurrently with the start.
            Awaitility.await()
                    .until(() -> get(gateway.admin(), "/metrics").body().contains("postern_context_drift{"));
            ClientResponse plain = get(gateway.admin(), "/metrics");
            assertThat(plain.field("content-type")).startsWith("text/plain");
            assertThat(plain.body())
                    .contains(
                            "postern_exchanges_total{",
                            "postern_context_drift{item=\"transport\"}",
                            "postern_build_info{",
                            "jvm_memory_used");
            ClientResponse open = client.get(
                    uri(gateway.admin(), "/metrics"), Map.of("Accept", "application/openmetrics-text; version=1.0.0"));
            assertThat(open.field("content-type")).startsWith("application/openmetrics-text");
            assertThat(open.body()).endsWith("# EOF\n");
        }
    }

    @Test
    void reportsTheTimesOfExchanges() throws Exception {
        try (Gateway gateway = Gateway.start(load())) {
            get(gateway.listener("web"), "/");
            get(gateway.listener("web"), "/");

            // The response arrives a moment before its exchange has ended.
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(get(gateway.admin(), "/metrics").body())
                                    .contains(
                                            "# TYPE postern_exchange_stage_seconds histogram",
                                            "postern_exchange_stage_seconds_bucket{stage=\"respond\",le=\"10.0\"} 2",
                                            "postern_exchange_stage_seconds_bucket{stage=\"send\",le=\"+Inf\"} 2",
                                            "postern_exchange_stage_seconds_count{stage=\"match\"} 2",
                                            "postern_exchange_stage_seconds_count{stage=\"spend\"} 0")
                                    .doesNotContain("postern_exchange_stage_seconds_sum{stage=\"respond\"} 0.0\n"));
        }
    }

    @Test
    void endsAfterDraining() throws Exception {
        Set<Thread> threadsBefore =
                Thread.getAllStackTraces().keySet(); // of other tests in this JVM, which may still be ending
        Gateway gateway = Gateway.start(load());
        InetSocketAddress web = gateway.listener("web");
        assertThat(get(web, "/").status()).isEqualTo(200);

        gateway.drain();

        assertThatThrownBy(() -> new SiteClient().get(uri(web, "/"), Map.of())).isInstanceOf(ConnectException.class);
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !threadsBefore.contains(thread))
                        .map(Thread::getName))
                .noneMatch(name -> name.startsWith("postern-loop") || name.startsWith("postern-admin"));
    }

    @Test
    void namesTheAddressThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            LoadedConfig config = load("listeners.web.address=127.0.0.1:" + taken.getLocalPort());

            assertThatThrownBy(() -> Gateway.start(config))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("listeners: web: address: ")
                    .hasMessageContaining("(expected: ");
        }
    }

    private LoadedConfig load(String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.add("upstreams.app.endpoints=[\"127.0.0.1:" + origin.port() + "\"]");
        LoadedConfig config = new ConfigReader(Map.of(), all).read("gateway.yaml", YAML, Path.of(""));
        assertThat(config.problems()).isEmpty();
        return config;
    }

    private ClientResponse get(InetSocketAddress address, String path) throws Exception {
        return client.get(uri(address, path), Map.of());
    }

    private static URI uri(InetSocketAddress address, String path) {
        return URI.create("http://127.0.0.1:" + address.getPort() + path);
    }
}
