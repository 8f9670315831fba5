package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the admin requests for keys, and the addresses of admin and probes. */
class KeySettingsTest {

    private static final String SECRET = "0123456789abcdef";

    @TempDir
    private Path folder;

    @Test
    void revokedKeysAreNeverAccepted() {
        try (MemorySite site = MemorySite.requiringTokens()) {
            String token = site.token();
            site.restart(
                    Site.TOKEN_REQUIRED,
                    Site.issuer(", revoked: [" + Site.MINT.key().id() + "]"));
            assertThat(site.redeem(token)).isEqualTo(503);
            assertThat(site.admin("/keys").body()).contains("\"dropped\"");
        }
    }

    @Test
    void adminTokenAllowsDroppingAKey() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), SECRET + "\n");
        try (MemorySite site = MemorySite.requiringTokens("admin.token-file=" + token)) {
            String paid = site.token();
            String other = site.token();
            String path = "/keys/issuer.example/" + Site.MINT.key().id();
            assertThat(site.redeem(paid)).isEqualTo(200);

            assertThat(delete(site, path, "")).isEqualTo(401);
            assertThat(delete(site, "/keys/issuer.example/" + "0".repeat(64), authorized()))
                    .isEqualTo(404);
            assertThat(site.get("/").status()).isEqualTo(401);
            assertThat(delete(site, path, authorized())).isEqualTo(200);

            assertThat(site.redeem(other)).isEqualTo(503);
            assertThat(site.admin("/keys").body()).contains("\"dropped\"");
        }
        try (MemorySite site = MemorySite.requiringTokens()) {
            assertThat(delete(site, "/keys/issuer.example/" + Site.MINT.key().id(), authorized()))
                    .as("no admin token is configured")
                    .isEqualTo(405);
        }
        assertThatThrownBy(
                        () -> MemorySite.with("admin.token-file=" + Files.writeString(folder.resolve("short"), "abc")))
                .hasMessageContaining("16 or more");
    }

    @Test
    void probesMayHaveTheirOwnAddress() {
        try (MemorySite site = MemorySite.with("admin.probes-address=127.0.0.1:0")) {
            InetSocketAddress apart = site.gateway().probes();
            assertThat(apart).isNotEqualTo(site.gateway().admin());
            for (String probe : new String[] {"/livez", "/readyz", "/startupz"}) {
                assertThat(send(site, apart, "GET", probe, "").status()).isEqualTo(200);
                assertThat(send(site, apart, "GET", probe, "").body()).isEmpty();
            }
            assertThat(send(site, apart, "GET", "/keys", "").status()).isEqualTo(404);
            assertThat(send(site, apart, "GET", "/metrics", "").status()).isEqualTo(404);
        }
    }

    private static String authorized() {
        return "Authorization: Bearer " + SECRET + "\r\n";
    }

    private static int delete(MemorySite site, String path, String fields) {
        return send(site, site.gateway().admin(), "DELETE", path, fields).status();
    }

    private static RawClient.Response send(
            MemorySite site, InetSocketAddress address, String method, String path, String fields) {
        try (RawClient client = site.connect(address)) {
            return client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
                    .read();
        }
    }
}
