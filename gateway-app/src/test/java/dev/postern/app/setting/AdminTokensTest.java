package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.admin.AdminServer;
import dev.postern.app.reload.Reloaded;
import dev.postern.core.testing.LogLines;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code admin.tokens}. */
class AdminTokensTest {

    private static final String ALICE = "alice-0123456789";
    private static final String BOB = "bob-012345678901";

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("alice"), ALICE);
        Files.writeString(folder.resolve("bob"), BOB);
    }

    private static String tokens(String... all) {
        return "admin.tokens=[" + String.join(", ", all) + "]";
    }

    private static int status(MemorySite site, String request, String token) {
        try (RawClient client = site.connect(site.gateway().admin())) {
            return client.send(request + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                    .read()
                    .status();
        }
    }

    private static int reload(MemorySite site, String token) {
        return status(site, "POST /reload", token);
    }

    @Test
    void aTokenHasItsRightsAndItsName() {
        try (MemorySite site = MemorySite.in(
                        folder,
                        tokens("{name: alice, file: alice, rights: change}", "{name: bob, file: bob, rights: read}"),
                        "log.level=info");
                LogLines log = new LogLines(AdminServer.class)) {
            assertThat(reload(site, ALICE)).isEqualTo(200);
            assertThat(reload(site, BOB)).isEqualTo(403);
            assertThat(status(site, "GET /rooms", BOB)).isEqualTo(200);
            assertThat(site.admin("/rooms").status()).isEqualTo(401);
            assertThat(log.lines()).containsExactly("admin: POST /reload: 200, by token alice from 127.0.0.1");
        }
        try (MemorySite site = MemorySite.in(folder, tokens("{name: bob, file: bob}"))) {
            assertThat(reload(site, BOB)).isEqualTo(200);
            assertThat(site.admin("/rooms").status()).isEqualTo(200);
        }
    }

    @Test
    void tokensChangeWithoutARestart() throws IOException {
        try (MemorySite site = MemorySite.in(folder, tokens("{name: alice, file: alice}"))) {
            assertThat(site.apply(tokens("{name: bob, file: bob}")))
                    .containsExactly("+admin.tokens.bob", "-admin.tokens.alice");
            assertThat(reload(site, ALICE)).isEqualTo(401);

            Files.writeString(folder.resolve("bob"), ALICE);
            assertThat(site.apply(tokens("{name: bob, file: bob}"))).isEmpty();
            assertThat(status(site, "PATCH /rooms/none", ALICE)).isEqualTo(404);
            assertThat(status(site, "PATCH /rooms/none", BOB)).isEqualTo(401);
        }
    }

    /** What is in force stays. */
    @Test
    void anUnusableTokenIsNotTaken() throws IOException {
        try (MemorySite site = MemorySite.in(folder, tokens("{name: alice, file: alice}"))) {
            Files.writeString(folder.resolve("bob"), "short");
            Reloaded refused = site.reload(tokens("{name: bob, file: bob}"));

            assertThat(refused.result()).isEqualTo(Reloaded.Result.INVALID);
            assertThat(refused.problems()).singleElement().asString().contains("admin.tokens.0.file", "16 or more");
            assertThat(status(site, "PATCH /rooms/none", ALICE)).isEqualTo(404);
        }
    }

    @Test
    void otherKeysOfAdminNeedARestart() {
        try (MemorySite site = MemorySite.with()) {
            Reloaded refused = site.reload("admin.allow-hosts=[other.example]");

            assertThat(refused.result()).isEqualTo(Reloaded.Result.REFUSED);
        }
    }
}
