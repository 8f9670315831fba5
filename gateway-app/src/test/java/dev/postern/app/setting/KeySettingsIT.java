package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.auth.issue.DevelopmentIssuer;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys and the admin requests for the keys that issuers publish. */
class KeySettingsIT {

    private static final String SECRET = "0123456789abcdef";

    @TempDir
    private Path folder;

    @Test
    void onlyPinnedKeysAreAccepted() throws IOException {
        try (DevelopmentIssuer issuer = issuer()) {
            String first = issuer.key().id().toString();
            String second = issuer.rotate().id().toString();
            try (Site site = Site.with(Site.TOKEN_REQUIRED, listed(issuer, ""))) {
                assertThat(site.admin("/keys").body()).contains(first, second);
                site.restart(Site.TOKEN_REQUIRED, listed(issuer, ", pin: [" + first + "]"));
                assertThat(site.admin("/keys").body()).contains(first).doesNotContain(second);
                site.restart(Site.TOKEN_REQUIRED, listed(issuer, ", pin: [" + "0".repeat(64) + "]"));
                assertThat(site.get("/").status()).isEqualTo(503);
                assertThat(site.admin("/keys").body()).contains("none of the 2 is pinned");
            }
        }
        assertThatThrownBy(() -> Site.with(Site.TOKEN_REQUIRED, Site.issuer(", pin: [abc]")))
                .hasMessageContaining("64 hex digits");
    }

    @Test
    void cachedKeysOutliveAnUnreachableIssuer() throws IOException {
        String cache = "privacy-pass.key-cache=" + folder.resolve("keys");
        String listed;
        try (DevelopmentIssuer issuer = issuer()) {
            listed = listed(issuer, "");
            try (Site site = Site.with(Site.TOKEN_REQUIRED, cache, listed)) {
                assertThat(site.get("/").status()).isEqualTo(401);
            }
        }
        try (Site site = Site.with(Site.TOKEN_REQUIRED, cache, listed)) {
            assertThat(site.get("/").status())
                    .as("with the cache of an earlier process")
                    .isEqualTo(401);
            site.restart(Site.TOKEN_REQUIRED, listed);
            assertThat(site.get("/").status()).as("without the cache").isEqualTo(503);
        }
    }

    @Test
    @SuppressWarnings("try") // closes the issuer early, on purpose
    void adminTokenAllowsFetchingTheDirectories() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), SECRET + "\n");
        try (DevelopmentIssuer issuer = issuer();
                Site site = Site.with(Site.TOKEN_REQUIRED, listed(issuer, ""), "admin.token-file=" + token)) {
            String next = issuer.rotate().id().toString();
            assertThat(site.admin("/keys").body()).doesNotContain(next);

            assertThat(refresh(site, "/keys/refresh", "")).isEqualTo(401);
            for (String path :
                    new String[] {"/keys", "/keys/other", "/keys/refresh/other.example", "/keys/refresh/a/b"}) {
                assertThat(refresh(site, path, authorized())).as(path).isEqualTo(404);
            }
            // The first fetch, at the start, may be less than five seconds ago.
            Awaitility.await()
                    .until(() -> refresh(site, "/keys/refresh", authorized()) == 200
                            && site.admin("/keys").body().contains(next));
            assertThat(refresh(site, "/keys/refresh/" + issuer.name().replace(":", "%3A"), authorized()))
                    .as("once more, too soon or just done")
                    .isIn(200, 429);

            issuer.close();
            Awaitility.await().until(() -> refresh(site, "/keys/refresh", authorized()) == 502);
            assertThat(site.admin("/keys").body()).contains(next);
        }
    }

    private static int refresh(Site site, String path, String fields) {
        return send(site.gateway().admin().getPort(), "POST", path, fields + "Content-Length: 0\r\n")
                .status();
    }

    private static DevelopmentIssuer issuer() throws IOException {
        return DevelopmentIssuer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Duration.ofMinutes(5),
                InstantSource.system());
    }

    private static String listed(DevelopmentIssuer issuer, String rules) {
        return Site.issuer(issuer.name(), issuer.directoryUri(), rules);
    }

    private static String authorized() {
        return "Authorization: Bearer " + SECRET + "\r\n";
    }

    private static RawClient.Response send(int port, String method, String path, String fields) {
        try (RawClient client = new RawClient(port)) {
            return client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
                    .read();
        }
    }
}
