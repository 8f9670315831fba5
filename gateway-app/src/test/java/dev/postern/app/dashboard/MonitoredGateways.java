package dev.postern.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Gateway;
import dev.postern.app.config.read.ConfigReader;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestCertificate;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Two gateways that together have every feature with meters, and requests that change the meters. The first has memcached, Redis, TLS, a
 * directory, a room, a breaker and an extension; the second runs in report-only mode.
 */
final class MonitoredGateways implements AutoCloseable {

    private static final String FIRST = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
              - name: secure
                address: "127.0.0.1:0"
                congestion-control: reno
                tls: {certificates: [{certificate-file: site.crt, private-key-file: site.key}]}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: warn, successes: 100%%}
            tracing: {endpoint: "http://127.0.0.1:1/v1/traces", sample: 100%%}
            extensions: {folder: extensions}
            redis: {uri: "redis://%s", deadline: 10s}
            privacy-pass:
              origin-names: [gateway.example]
              issuers: [{name: issuer.example, directory: "http://%s/directory"}]
              ledger: {store: memcached, deadline: 10s, memcached: {servers: ["%s"]}}
            rate-limits:
              - name: site
                rate: 1/h
                burst: 0
                per: route
                store: redis
                fair-queue: {active-sessions: 1}
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["%s"], breaker: {enabled: true}}
              - name: dead
                congestion-control: reno
                endpoints: ["127.0.0.1:1"]
                tls: {server-name: localhost, ca-file: site.crt}
            routes:
              - {path: /, upstream: app, token: required}
              - {path: /dead, upstream: dead, token: off}
              - {path: /room, upstream: app, token: off, rate-limit: site}
            """;

    private static final String SECOND = """
            listeners:
              - {name: web, address: "127.0.0.1:0", congestion-control: reno}
            admin: {address: "127.0.0.1:0"}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: warn, successes: 0%%}
            privacy-pass:
              origin-names: [gateway.example]
              enforcement: report-only
              issuers: [{name: issuer.example, public-keys: ["%s"]}]
            upstreams:
              - {name: app, congestion-control: reno, endpoints: ["%s"]}
            routes:
              - {upstream: app, token: required}
            """;

    private static final String DIRECTORY =
            "{\"issuer-request-uri\": \"/request\", \"token-keys\": [{\"token-type\": 2, \"token-key\": \"%s\"}]}";

    private final TokenMint mint = TokenMint.shared();
    private final TestOrigin origin = new TestOrigin();
    private final TestOrigin issuer = new TestOrigin();
    private final Gateway first;
    private final Gateway second;

    /** @param folder for files of the configuration */
    MonitoredGateways(Path folder, String memcached, String redis) throws IOException {
        TestCertificate.ec(folder, "site", "dns:localhost");
        IdleLogField.jar(folder.resolve("extensions"));
        String directory = DIRECTORY.formatted(mint.publicKey());
        issuer.behave(TestOrigin.Behaviour.raw(
                "HTTP/1.1 200 OK\r\nContent-Type: application/private-token-issuer-directory\r\nContent-Length: "
                        + directory.length() + "\r\n\r\n" + directory));
        first = start(folder, FIRST.formatted(redis, issuer.address(), memcached, origin.address()));
        second = start(folder, SECOND.formatted(mint.publicKey(), origin.address()));
        // A garbage collection, so that its pause is measured.
        System.gc();
    }

    private static Gateway start(Path folder, String yaml) {
        LoadedConfig config = new ConfigReader(Map.of(), List.of()).read("gateway.yaml", yaml, folder);
        assertThat(config.problems()).isEmpty();
        return Gateway.start(config);
    }

    List<InetSocketAddress> admins() {
        return List.of(first.admin(), second.admin());
    }

    /**
     * Sends requests with all outcomes: challenged, forwarded with a token, refused with a token, queued, failed by an upstream, only
     * reported.
     */
    void visit() {
        try (RawClient client = new RawClient(first.listener("web").getPort())) {
            RawClient.Response challenged = client.get("/");
            assertThat(challenged.status()).isEqualTo(401);
            String token = "Authorization: " + mint.response(challenged.field("WWW-Authenticate"));
            assertThat(get(client, "/", token)).isEqualTo(200);
            assertThat(get(client, "/", token)).isEqualTo(401);
            assertThat(get(client, "/dead", "")).isIn(502, 503);
            assertThat(get(client, "/room", "")).isIn(200, 503);
        }
        try (RawClient client = new RawClient(second.listener("web").getPort())) {
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    private static int get(RawClient client, String path, String field) {
        String fields = field.isEmpty() ? "" : field + "\r\n";
        return client.send("GET " + path + " HTTP/1.1\r\nHost: site.example\r\n" + fields + "\r\n")
                .read()
                .status();
    }

    @Override
    public void close() {
        second.close();
        first.close();
        issuer.close();
        origin.close();
    }
}
