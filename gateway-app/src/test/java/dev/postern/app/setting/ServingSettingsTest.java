package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests keys of listeners, admin, limits and log. */
class ServingSettingsTest {

    @TempDir
    private Path folder;

    @Test
    void forwardedFieldsOfTrustedProxiesMustAgree() {
        String client = "X-Forwarded-For: 203.0.113.9";
        try (MemorySite site = MemorySite.with("listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            assertThat(site.get("/", client, "Forwarded: for=203.0.113.8").status())
                    .isEqualTo(400);
            assertThat(site.get("/", client, "Forwarded: for=203.0.113.9").status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(0).field("X-Forwarded-For")).isEqualTo("203.0.113.9, 127.0.0.1");
        }
    }

    @Test
    void adminRespondsUnderAllowedHosts() {
        try (MemorySite site = MemorySite.with("admin.allow-hosts=[admin.example]");
                RawClient admin = site.connect(site.gateway().admin())) {
            assertThat(admin.send("GET /livez HTTP/1.1\r\nHost: admin.example\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void readinessHasTheConfiguredRequirements() {
        try (MemorySite site = MemorySite.with(
                "admin.ready-requires=[keys]",
                "privacy-pass.issuers=[{name: unreachable.example, directory: \"http://127.0.0.1:1/\"}]")) {
            assertThat(site.admin("/readyz").status()).isEqualTo(503);
        }
    }

    @Test
    void aClientThatEndsItsOutputHasGoneUnlessAllowed() {
        String endpoints = "upstreams.app.endpoints=['127.0.0.1:1002']";
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", 1002);
        try (MemorySite site = MemorySite.with(endpoints);
                RawClient client = site.client()) {
            site.network.listen(address);
            client.send(Site.request("GET", "/"));
            Line line = site.network.accept(address);
            line.readHead();
            client.finish();
            assertThat(line.closedByPeer()).isTrue();
        }
        try (MemorySite site = MemorySite.with(endpoints, "limits.half-close=allow");
                RawClient client = site.client()) {
            site.network.listen(address);
            client.send(Site.request("GET", "/")).finish();
            Line line = site.network.accept(address);
            line.readHead();
            line.ok("late");
            assertThat(client.read().body()).isEqualTo("late");
        }
    }

    @Test
    void linesHaveTheConfiguredFields() throws InterruptedException {
        try (MemorySite site = MemorySite.with("log.client-address=off", "log.query=on")) {
            site.get("/p?q=1");
            assertThat(site.line()).contains("q=1").doesNotContain("127.0.0");
        }
        try (MemorySite site = MemorySite.with("log.exchanges.fields=[status, path]")) {
            site.get("/p");
            assertThat(site.line()).isEqualTo("{\"path\":\"/p\",\"status\":200}");
        }
    }

    /** Without a restart, and back. */
    @Test
    void linesGoToTheConfiguredFile() throws InterruptedException, IOException {
        Path file = folder.resolve("exchanges.log");
        try (MemorySite site = MemorySite.with("log.exchanges.to=file:" + file)) {
            site.get("/first");
            await().until(() -> Files.exists(file) && Files.readString(file).endsWith("}\n"));
            assertThat(site.apply()).containsExactly("log.exchanges.to");
            site.get("/second");
            assertThat(site.line()).contains("/second");
        }
        assertThat(Files.readAllLines(file)).singleElement().asString().contains("/first");
    }

    @Test
    void refusalsAreLoggedUpToTheRate() {
        try (MemorySite site = MemorySite.requiringTokens("log.refusal-rate=2/h")) {
            for (int i = 0; i < 5; i++) {
                assertThat(site.get("/").status()).isEqualTo(401);
            }
            assertThat(site.metrics()).contains("postern_log_lost_total 3.0\n");
        }
    }

    @Test
    void logHasTheConfiguredLevel() {
        try (MemorySite site = MemorySite.with("log.level=debug")) {
            assertThat(site.admin("/livez").status()).isEqualTo(200);
            assertThat(LoggerFactory.getLogger("dev.postern.app").isDebugEnabled())
                    .isTrue();
        }
        try (MemorySite site = MemorySite.with("log.level=error")) {
            assertThat(site.admin("/livez").status()).isEqualTo(200);
            assertThat(LoggerFactory.getLogger("dev.postern.app").isWarnEnabled())
                    .isFalse();
        }
    }
}
