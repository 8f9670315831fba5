package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests upstreams that receive the address of the client in a PROXY protocol header; HAProxy reads the header. */
class ProxyProtocolOutIT {

    private static final String ONE = "127.0.0.21";
    private static final String TWO = "127.0.0.22";

    private final RawOrigin raw = new RawOrigin();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        raw.close();
    }

    private static RawClient from(Site site, String address) {
        return new RawClient(address, site.port());
    }

    /** Starts a HAProxy that requires the header and responds with the address and port in it. */
    private ServerProcess haproxy(String bind) throws IOException {
        int port = ServerProcess.freePort();
        Path config = Files.writeString(folder.resolve("haproxy.cfg"), """
                defaults
                  mode http
                  timeout connect 1s
                  timeout client 1h
                  timeout server 1h
                frontend gateway
                  bind 127.0.0.1:%d accept-proxy %s
                  http-request return status 200 content-type text/plain lf-string "%%[src] %%[src_port]"
                """.formatted(port, bind));
        ServerProcess haproxy = new ServerProcess("haproxy", port, "-db", "-f", config.toString());
        haproxy.start();
        return haproxy;
    }

    private static Site site(String version, String address, String... more) {
        return Site.with(
                List.of("upstreams.app.endpoints=[\"" + address + "\"]", "upstreams.app.proxy-protocol=" + version),
                more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void sendsTheAddressOfEachClient(String version) throws IOException {
        try (ServerProcess haproxy = haproxy("");
                Site site = site(version, haproxy.address());
                RawClient one = from(site, ONE);
                RawClient two = from(site, TWO)) {
            for (int i = 0; i < 3; i++) {
                assertThat(one.get("/").body()).startsWith(ONE + " ");
                assertThat(two.get("/").body()).startsWith(TWO + " ");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"v1, boringssl", "v2, boringssl", "v1, jdk"})
    void theHeaderComesBeforeTls(String version, String engine) throws IOException {
        TestCertificate shown = TestCertificate.ec(folder, "shown", "dns:app.example");
        Path both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(shown.certificate()) + Files.readString(shown.key()));
        try (ServerProcess haproxy = haproxy("ssl crt " + both);
                Site site = site(
                        version,
                        haproxy.address(),
                        "transport.tls-engine=" + engine,
                        "upstreams.app.timeouts.connect=10s", // a first handshake on a busy machine takes longer than
                        // the default
                        "upstreams.app.tls={server-name: app.example, ca-file: \"" + shown.certificate() + "\"}");
                RawClient one = from(site, ONE)) {
            assertThat(one.get("/").body()).startsWith(ONE + " ");
        }
    }

    @Test
    void sendsNoHeaderWhenOff() throws IOException {
        try (ServerProcess haproxy = haproxy("");
                Site site = site("off", haproxy.address())) {
            assertThat(site.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void usesAConnectionForOneClientConnectionOnly() {
        try (Site site = site("v1", raw.address(), "transport.event-loops=1");
                RawClient one = from(site, ONE);
                RawClient sameAddress = from(site, ONE);
                RawClient two = from(site, TWO)) {
            Line first = served(one, null);
            served(one, first);
            Line second = served(two, null);
            Line third = served(sameAddress, null);
            served(one, first);
            served(two, second);
            served(sameAddress, third);
        }
    }

    /** Serves an exchange on the line, or on a new line that begins with the header; returns the line. */
    private Line served(RawClient client, @Nullable Line open) {
        client.send(Site.request("GET", "/"));
        Line line = open == null ? raw.accept() : open;
        if (open == null) {
            assertThat(line.readHead()).startsWith("PROXY TCP4 127.0.0.2").contains(" 127.0.0.1 ", "\r\nGET / ");
        } else {
            assertThat(line.readHead()).startsWith("GET / ");
        }
        line.ok("hello");
        assertThat(client.read().body()).isEqualTo("hello");
        return line;
    }

    @Test
    void closesIdleConnectionsOfOtherClients() {
        try (Site site = site("v1", raw.address(), "transport.event-loops=1", "upstreams.app.pool.max-connections=1");
                RawClient one = from(site, ONE);
                RawClient two = from(site, TWO)) {
            Line first = served(one, null);
            served(two, null);
            assertThat(first.closedByPeer()).isTrue();
        }
    }

    @Test
    void usesNoBusyConnectionForOtherClients() {
        try (Site site = site("v1", raw.address(), "transport.event-loops=1", "upstreams.app.pool.max-connections=1");
                RawClient one = from(site, ONE);
                RawClient two = from(site, TWO)) {
            one.send(Site.request("GET", "/"));
            Line first = raw.accept();
            first.readHead();
            two.send(Site.request("GET", "/"));
            await().until(() -> site.metrics().contains("state=\"pending\",upstream=\"app\"} 1.0"));
            first.ok("hello");
            assertThat(one.read().status()).isEqualTo(200);
            Line second = raw.accept();
            assertThat(second.readHead()).startsWith("PROXY TCP4 " + TWO);
            second.ok("hello");
            assertThat(two.read().status()).isEqualTo(200);
        }
    }

    @Test
    void addressesFromForwardedFieldsHaveNoPort() {
        try (Site site = site("v1", raw.address(), "listeners.web.trusted-proxies=[127.0.0.0/8]");
                RawClient client = from(site, ONE)) {
            client.send(Site.request("GET", "/", "X-Forwarded-For: 192.0.2.7"));
            Line line = raw.accept();
            assertThat(line.readHead()).startsWith("PROXY TCP4 192.0.2.7 127.0.0.1 0 ");
            line.ok("hello");
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    @Test
    void checksSendNoClientAddress() {
        Site site = site("v1", raw.address(), "upstreams.app.health.check={path: /healthz, interval: 1h}");
        try (site) {
            assertThat(raw.accept().readHead()).startsWith("PROXY UNKNOWN\r\nGET /healthz ");
        }
    }

    @Test
    void checksOfAProxySucceed() throws IOException {
        try (ServerProcess haproxy = haproxy("");
                Site site = site(
                        "v2",
                        haproxy.address(),
                        "upstreams.app.health.check={path: /healthz, interval: 50ms, rise: 1, fall: 1}")) {
            await().during(Duration.ofMillis(500)).until(() -> site.get("/").status() == 200);
        }
    }
}
