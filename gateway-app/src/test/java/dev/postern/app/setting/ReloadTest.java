package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.reload.Reloaded;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each kind of change takes effect in a running gateway. */
class ReloadTest {

    private static final String LIMIT = "rate-limits=[{name: slow, rate: 1/h, burst: %d}]";
    private static final String LIMITED = "routes=[{upstream: app, token: off, rate-limit: slow}]";

    @TempDir
    private Path folder;

    // ---- upstreams

    @Test
    void unchangedUpstreamsKeepTheirConnections() {
        try (MemorySite site = MemorySite.with();
                RawClient client = site.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(site.apply("upstreams.1={name: more, endpoints: [\"127.0.0.1:1\"]}", "limits.request-body=1MiB"))
                    .containsExactlyInAnyOrder("limits.request-body", "+upstreams.more");
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(site.origin.connections()).isEqualTo(1);
            assertThat(site.meter("postern_upstream_endpoints{state=\"all\",upstream=\"more\"}"))
                    .isEqualTo(1);
            assertThat(site.apply()).contains("-upstreams.more");
            assertThat(site.meter("postern_upstream_endpoints{state=\"all\",upstream=\"more\"}"))
                    .isEqualTo(-1);
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(site.origin.connections()).isEqualTo(1);
        }
    }

    // ---- routes, limits

    @Test
    void routesChange() {
        try (MemorySite site = MemorySite.with(Site.issuer());
                RawClient client = site.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(site.apply(Site.issuer(), Site.TOKEN_REQUIRED)).containsExactly("routes.0.token");
            assertThat(client.get("/").status()).isEqualTo(401);
            site.apply(Site.issuer(), "routes=[{path: /only, upstream: app, token: off}]");
            assertThat(client.get("/").status()).isEqualTo(404);
            assertThat(client.get("/only").status()).isEqualTo(200);
        }
    }

    @Test
    void unchangedLimitsKeepTheirCounts() {
        try (MemorySite site = MemorySite.with(LIMIT.formatted(1), LIMITED);
                RawClient client = site.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(429);
            site.apply(LIMIT.formatted(1), LIMITED, "limits.pipeline-depth=3");
            assertThat(client.get("/").status()).isEqualTo(429);
            assertThat(site.apply(LIMIT.formatted(3), LIMITED)).contains("rate-limits.slow.burst");
            assertThat(client.get("/").status()).isEqualTo(200);
            site.apply();
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(site.metrics()).doesNotContain("limit=\"slow\"");
        }
    }

    @Test
    void roomsKeepTheirClientsAndUseTheNewRules() {
        String route = "routes=[{upstream: app, token: off, rate-limit: site}]";
        String room = "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: %d,"
                + " absence: 60s}}]";
        try (MemorySite site = MemorySite.with(route, room.formatted(1))) {
            assertThat(site.get("/").status()).as("the base rate").isEqualTo(200);
            RawClient.Response holder = site.get("/");
            assertThat(holder.status()).isEqualTo(200);
            RawClient.Response waiting = site.get("/");
            assertThat(waiting.field("Postern-Queue-Position")).isEqualTo("1");
            assertThat(site.get("/").field("Postern-Queue-Position")).isEqualTo("2");
            assertThat(site.meter("postern_room_bound{room=\"site\"}")).isEqualTo(1);
            site.apply(route, room.formatted(2));
            assertThat(site.meter("postern_room_bound{room=\"site\"}")).isEqualTo(2);
            assertThat(site.meter("postern_room_waiting{room=\"site\"}")).isBetween(1, 2);
            assertThat(site.get("/", "Cookie: " + Site.cookie(holder)).status()).isEqualTo(200);
            assertThat(site.get("/", "Cookie: " + Site.cookie(waiting)).status())
                    .isEqualTo(200);
            assertThat(site.get("/").field("Postern-Queue-Position")).isEqualTo("2");
        }
    }

    // ---- tokens

    @Test
    void enforcementChanges() {
        try (MemorySite site = MemorySite.requiringTokens()) {
            assertThat(site.get("/").status()).isEqualTo(401);
            assertThat(site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "privacy-pass.enforcement=report-only"))
                    .containsExactly("privacy-pass.enforcement");
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.meter("postern_token_would_refuse_total{")).isEqualTo(1);
            site.apply(Site.TOKEN_REQUIRED, Site.issuer());
            assertThat(site.get("/").status()).isEqualTo(401);
        }
    }

    @Test
    void issuersChangeAndSpentTokensStaySpent() {
        TokenMint other = TokenMint.fresh();
        String otherIssuer = Site.issuer().replace(Site.MINT.publicKey(), other.publicKey());
        try (MemorySite site = MemorySite.requiringTokens()) {
            String spent = site.token();
            String kept = site.token();
            assertThat(site.redeem(spent)).isEqualTo(200);

            assertThat(site.apply(Site.TOKEN_REQUIRED, otherIssuer)).hasSize(1);
            assertThat(site.redeem(kept))
                    .as("a token of the issuer that is gone")
                    .isEqualTo(401);
            assertThat(site.redeem(other.response(site.challenge()))).isEqualTo(200);
            assertThat(site.admin("/keys").body()).contains(other.key().id().toString());
            assertThat(site.meter("postern_issuer_keys{issuer=\"issuer.example\"}"))
                    .isEqualTo(1);

            site.apply(Site.TOKEN_REQUIRED, Site.issuer());
            assertThat(site.redeem(spent)).as("spent before both reloads").isEqualTo(401);
            assertThat(site.redeem(kept)).isEqualTo(200);
        }
    }

    @Test
    void keysAreRevokedAndDroppedKeysStayDropped() {
        String id = Site.MINT.key().id().toString();
        write("token", "0123456789abcdef");
        try (MemorySite site = MemorySite.in(folder, Site.TOKEN_REQUIRED, Site.issuer(), "admin.token-file=token")) {
            String first = site.token();
            String second = site.token();
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(", revoked: [" + id + "]"), "admin.token-file=token");
            assertThat(site.redeem(first)).isNotEqualTo(200);
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "admin.token-file=token");
            assertThat(site.redeem(first)).as("not revoked any more").isEqualTo(200);

            String path = "/keys/issuer.example/" + id;
            try (RawClient client = site.connect(site.gateway().admin())) {
                assertThat(client.send(Site.request(
                                        "DELETE", path, "Host: localhost", "Authorization: Bearer 0123456789abcdef"))
                                .read()
                                .status())
                        .isEqualTo(200);
            }
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(", key-grace: 1s"), "admin.token-file=token");
            assertThat(site.redeem(second)).as("dropped until the process ends").isNotEqualTo(200);
        }
    }

    @Test
    void challengesFollowTheSettings() {
        try (MemorySite site = MemorySite.requiringTokens()) {
            String before = site.token();
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "privacy-pass.origin-names=[other.example]");
            assertThat(site.challenge()).isNotEmpty();
            assertThat(site.redeem(before)).as("a token for another origin").isEqualTo(401);
            assertThat(site.redeem(site.token())).isEqualTo(200);
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "privacy-pass.token-header=x-token");
            assertThat(site.redeem(site.token())).isEqualTo(401);
            assertThat(site.get("/", "X-Token: " + site.token()).status()).isEqualTo(200);
        }
    }

    @Test
    void theRingFileIsReadAgain() {
        String old = KeyRing.newLine();
        String fresh = KeyRing.newLine();
        String sessions = "routes=[{upstream: app, token: session}]";
        write("ring", old);
        try (MemorySite site = MemorySite.in(folder, sessions, Site.issuer(), "secrets.ring-file=ring")) {
            String cookie = Site.cookie(site.get("/", "Authorization: " + site.token()));
            String early = site.token();
            write("ring", fresh + "\n" + old);
            assertThat(site.apply(sessions, Site.issuer(), "secrets.ring-file=ring"))
                    .isEmpty();
            assertThat(site.get("/", "Cookie: " + cookie).status()).isEqualTo(200);
            assertThat(site.redeem(early)).isEqualTo(200);
            List<String> prints = KeyRing.of(List.of(fresh, old)).fingerprints();
            assertThat(site.admin("/context").body())
                    .contains(prints.get(0) + " signs, " + prints.get(1) + " verifies");
            assertThat(site.meter("postern_ring{fingerprint=\"" + prints.get(0) + "\",use=\"signs\"}"))
                    .isEqualTo(1);

            String late = site.token();
            write("ring", fresh);
            site.apply(sessions, Site.issuer(), "secrets.ring-file=ring");
            assertThat(site.redeem(late)).isEqualTo(200);
            assertThat(site.get("/", "Cookie: " + cookie).status())
                    .as("sealed with a retired secret")
                    .isEqualTo(401);
            assertThat(site.metrics()).doesNotContain(prints.get(1));
        }
    }

    @Test
    void anInvalidRingIsNotTaken() {
        write("ring", KeyRing.newLine());
        try (MemorySite site = MemorySite.in(folder, Site.TOKEN_REQUIRED, Site.issuer(), "secrets.ring-file=ring")) {
            String token = site.token();
            write("ring", "short");
            assertThat(site.reload(Site.TOKEN_REQUIRED, Site.issuer(), "secrets.ring-file=ring")
                            .result())
                    .isEqualTo(Reloaded.Result.INVALID);
            assertThat(site.redeem(token)).isEqualTo(200);
        }
    }

    @Test
    void aRingOfTheProcessStaysTheSame() {
        write("ring", KeyRing.newLine());
        try (MemorySite site = MemorySite.in(folder, Site.TOKEN_REQUIRED, Site.issuer())) {
            String first = site.token();
            String second = site.token();
            site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "limits.pipeline-depth=3");
            assertThat(site.redeem(first)).isEqualTo(200);
            assertThat(site.apply(Site.TOKEN_REQUIRED, Site.issuer(), "secrets.ring-file=ring"))
                    .contains("secrets.ring-file");
            assertThat(site.redeem(second))
                    .as("a challenge of the ring of before")
                    .isEqualTo(401);
            assertThat(site.redeem(site.token())).isEqualTo(200);
        }
    }

    @Test
    void theFirstRouteWithSessionsNeedsNoRestart() {
        String sessions = "routes=[{upstream: app, token: session}]";
        try (MemorySite site = MemorySite.requiringTokens()) {
            assertThat(site.get("/", "Authorization: " + site.token()).head()).doesNotContainIgnoringCase("set-cookie");
            site.apply(sessions, Site.issuer());
            RawClient.Response paid = site.get("/", "Authorization: " + site.token());
            String cookie = Site.cookie(paid);
            assertThat(site.get("/", "Cookie: " + cookie).status()).isEqualTo(200);
            assertThat(site.get("/").status()).isEqualTo(401);
            site.apply(sessions, Site.issuer(), "privacy-pass.session.lifetime=1h");
            assertThat(site.get("/", "Cookie: " + cookie).status())
                    .as("a session from before")
                    .isEqualTo(200);
        }
    }

    // ---- log, forward policies

    @Test
    void theLogChanges() throws InterruptedException {
        try (MemorySite site = MemorySite.with("log.successes=0%");
                RawClient client = site.client()) {
            client.get("/before");
            site.apply("log.successes=100%");
            site.get("/after");
            assertThat(site.line()).contains("/after");
        }
    }

    // ---- POST /reload

    private static RawClient.Response post(MemorySite site, String authorization) {
        try (RawClient client = site.connect(site.gateway().admin())) {
            return client.send("POST /reload HTTP/1.1\r\nHost: localhost\r\n" + authorization
                            + "Content-Length: 0\r\n\r\n")
                    .read();
        }
    }

    @Test
    void requiresTheAdminToken() {
        String token = "0123456789abcdef";
        write("token", token);
        try (MemorySite site = MemorySite.in(folder, "admin.token-file=token")) {
            assertThat(post(site, "").status()).isEqualTo(401);
            assertThat(site.meter("postern_config_reload_total{result=\"ok\"}")).isZero();
            RawClient.Response response = post(site, "Authorization: Bearer " + token + "\r\n");
            assertThat(response.status()).as(response.body()).isEqualTo(200);
            assertThat(response.body().replaceAll("\\s", "")).contains("\"result\":\"ok\"", "\"problems\":[]");
            assertThat(site.meter("postern_config_reload_total{result=\"ok\"}")).isEqualTo(1);
        }
        try (MemorySite site = MemorySite.with()) {
            assertThat(post(site, "Authorization: Bearer " + token + "\r\n").status())
                    .isEqualTo(405);
        }
    }

    private void write(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
